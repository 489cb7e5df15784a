"""A real rclpy, where there is one: odometry, scans for default subscribers, driving, a late reader of the map, a clean exit."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from mobilesim_py.errors import EmulationError
from mobilesim_py.services.ros.ros2 import node
from tests.view.conftest import free_port

ROOT = Path(__file__).parents[4]
CLIENT = """
import time
import rclpy
from geometry_msgs.msg import Twist
from nav_msgs.msg import OccupancyGrid, Odometry
from rclpy.qos import DurabilityPolicy, QoSProfile
from sensor_msgs.msg import LaserScan
from std_srvs.srv import SetBool

rclpy.init()
node = rclpy.create_node("tester")
got = {}
for kind, topic in ((Odometry, "/odom"), (LaserScan, "/scan")):
    node.create_subscription(kind, topic, lambda message, topic=topic: got.update({topic: message}), 10)
late = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
node.create_subscription(OccupancyGrid, "/map", lambda message: got.update({"/map": message}), late)
driver = node.create_publisher(Twist, "/cmd_vel", 10)
twist = Twist()
twist.linear.x = 0.3
deadline = time.monotonic() + 60.0
while len(got) < 3 or got["/odom"].pose.pose.position.x < 0.1:
    assert time.monotonic() < deadline, sorted(got)
    driver.publish(twist)
    rclpy.spin_once(node, timeout_sec=0.05)
assert len(got["/scan"].ranges) == 181
assert 100 in got["/map"].data
motors = node.create_client(SetBool, "/set_motors")
assert motors.wait_for_service(30.0)
request = SetBool.Request()
request.data = False
answer = motors.call_async(request)
rclpy.spin_until_future_complete(node, answer, timeout_sec=30.0)
assert answer.result().success
node.destroy_node()
rclpy.shutdown()
"""


def test_without_rclpy_the_reason_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rclpy", None)
    with pytest.raises(EmulationError, match="needs rclpy"):
        node.check_rclpy()


def test_types_that_are_not_there_are_none() -> None:
    assert node._type("no_such_package_msgs/Odometry", "msg") is None


@pytest.mark.e2e
def test_nodes_of_ros_2_see_drive_and_call_the_simulator_and_it_ends_cleanly(tmp_path: Path) -> None:
    pytest.importorskip("rclpy", reason="there is no ROS 2: pip install 'ros-rclpy[fastrtps]' ros-nav-msgs ros-std-srvs ...")
    domain = {"ROS_DOMAIN_ID": str(os.getpid() % 100), "ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST"}
    environment = {**os.environ, **domain, "HOME": str(tmp_path), "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    words = [
        "-m",
        "office.map",
        "-r",
        "p3dx-sh",
        "--ros2",
        "--noninteractive",
        "--engine",
        "numpy",
        "--port",
        str(free_port()),
    ]
    simulator = subprocess.Popen([sys.executable, "-m", "mobilesim_py", *words], cwd=tmp_path, env=environment)
    try:
        client = [sys.executable, "-c", textwrap.dedent(CLIENT)]
        subprocess.run(client, cwd=tmp_path, env=environment, check=True, timeout=120)
        simulator.send_signal(signal.SIGTERM)
        assert simulator.wait(30) == 0
    finally:
        simulator.kill()
        simulator.wait()
