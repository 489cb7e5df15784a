"""Real clients of rosbridge: roslibpy (PyPI) and roslib (npm).

They are used where they are: roslibpy in the Python that MOBILESIM_ROSLIBPY names, such as that of an environment into which
`pip install roslibpy` has put it; roslib 2 in the folder that MOBILESIM_ROSLIB names, in which `npm install roslib ws` was
run. Without them these tests are left out.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

PATIENCE = 60.0
PYTHON, NODE_FOLDER = os.environ.get("MOBILESIM_ROSLIBPY", ""), os.environ.get("MOBILESIM_ROSLIB", "")
pytestmark = pytest.mark.e2e


@pytest.fixture
def url(start: Any) -> str:
    """The address of a simulator with one robot that sees nothing."""
    simulator = start("--nomap", "-r", "p3dx-sh-lms1xx", "--no-noise", "--rosbridge", "0")
    found = re.search(r"Clients connect to (\S+)", simulator.wait_for_text("Clients connect to ws"))
    assert found is not None
    return found[1]


def run(*words: str, folder: Path | None = None) -> str:
    """Run a client to its end; return what it said."""
    ended = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


ROSLIBPY = """
import sys, threading, time, roslibpy
host, port = sys.argv[1].removeprefix("ws://").split(":")
ros = roslibpy.Ros(host, int(port))
ros.run(timeout=20)
assert "/odom" in ros.get_topics() and ros.get_topic_type("/odom") == "nav_msgs/Odometry"
assert ros.get_services_for_type("nav_msgs/GetMap") == ["/static_map"]
ros.set_param("/speed", 3)
assert ros.get_param("/speed") == 3
way, there = [0.0], threading.Event()
def moved(message):
    way[0] = message["pose"]["pose"]["position"]["x"]
    if way[0] > 0.3:
        there.set()
roslibpy.Topic(ros, "/odom", "nav_msgs/Odometry", throttle_rate=50, queue_length=1).subscribe(moved)
wheels = roslibpy.Topic(ros, "/cmd_vel", "geometry_msgs/Twist")
end = time.time() + 30
while not there.wait(0.1):
    assert time.time() < end
    wheels.publish(roslibpy.Message({"linear": {"x": 0.4}}))
def call(name, kind, **fields):
    return roslibpy.Service(ros, name, kind).call(roslibpy.ServiceRequest(fields), timeout=20)
assert call("/static_map", "nav_msgs/GetMap")["map"]["info"]["width"] > 0
own = roslibpy.Service(ros, "/ready", "std_srvs/SetBool")
own.advertise(lambda request, response: bool(response.update(success=True, message="own")) or True)
time.sleep(0.5)
assert call("/ready", "std_srvs/SetBool", data=True)["message"] == "own"
call("/pause", "std_srvs/Empty")
ended, steps = threading.Event(), []
action = roslibpy.ActionClient(ros, "/simulate_steps", "simulation_interfaces/SimulateSteps")
action.send_goal(roslibpy.Goal({"steps": 5}), lambda result: ended.set(), steps.append, print)
assert ended.wait(20) and len(steps) == 5
print("all well")
ros.close()
"""


@pytest.mark.skipif(not PYTHON, reason="MOBILESIM_ROSLIBPY names no Python that has roslibpy")
def test_roslibpy_drives_calls_serves_and_has_goals(url: str) -> None:
    assert "all well" in run(PYTHON, "-c", ROSLIBPY, url)


ROSLIB = """
import { createRequire } from "module";
import assert from "assert";
const require = createRequire(process.cwd() + "/");
globalThis.WebSocket ??= require("ws");
const { Ros, Topic, Service, Action, Param } = await import("roslib");
const soon = (start) => new Promise((well, ill) => { setTimeout(() => ill("nothing came"), 20000); start(well, ill); });
const ros = new Ros({ url: process.argv.at(-1) });
await soon((well, ill) => { ros.on("connection", well); ros.on("error", ill); });
const listed = await soon((well, ill) => ros.getTopicsAndRawTypes(well, ill));
assert(listed.typedefs_full_text[listed.topics.indexOf("/odom")].includes("MSG: geometry_msgs/Quaternion"));
const hear = (name, messageType, compression) => soon((well) => {
  const topic = new Topic({ ros, name, messageType, compression });
  topic.subscribe((message) => { topic.unsubscribe(); well(message); });
});
const plain = await hear("/scan", "sensor_msgs/LaserScan", "none");
const binary = await hear("/scan", "sensor_msgs/LaserScan", "cbor");
assert(plain.ranges.every((range) => range === null));
assert(binary.ranges instanceof Float32Array && binary.ranges.every((range) => range === Infinity));
assert((await hear("/scan", "sensor_msgs/LaserScan", "cbor-raw")).bytes.length > 1000);
assert((await hear("/map", "nav_msgs/OccupancyGrid", "png")).data.length > 0);
const wheels = new Topic({ ros, name: "/cmd_vel", messageType: "geometry_msgs/Twist" });
const odometry = new Topic({ ros, name: "/odom", messageType: "nav_msgs/Odometry", queue_length: 1 });
const beat = setInterval(() => wheels.publish({ linear: { x: 0.4, y: 0, z: 0 }, angular: { x: 0, y: 0, z: 0 } }), 100);
await soon((well) => odometry.subscribe((message) => { if (message.pose.pose.position.x > 0.3) well(); }));
clearInterval(beat);
odometry.unsubscribe();
const call = (name, serviceType, request) =>
  soon((well, ill) => new Service({ ros, name, serviceType }).callService(request, well, ill));
assert((await call("/static_map", "nav_msgs/GetMap", {})).map.info.width > 0);
await assert.rejects(async () => { try { await call("/nope", "std_srvs/Empty", {}); } catch (why) { throw new Error(why); } });
await call("/pause", "std_srvs/Empty", {});
const action = new Action({ ros, name: "/simulate_steps", actionType: "simulation_interfaces/SimulateSteps" });
let steps = 0;
await soon((well, ill) => action.sendGoal({ steps: 4 }, well, () => steps++, ill));
assert.equal(steps, 4);
console.log("all well");
process.exit(0);
"""


@pytest.mark.skipif(
    not NODE_FOLDER or shutil.which("node") is None,
    reason="MOBILESIM_ROSLIB names no folder with roslib, or there is no node",
)
def test_roslib_hears_drives_calls_and_has_goals(url: str) -> None:
    assert "all well" in run("node", "--input-type=module", "-e", ROSLIB, "--", url, folder=Path(NODE_FOLDER))
