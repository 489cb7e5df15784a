"""Types as web clients hear of them."""

from __future__ import annotations

from mobilesim_py.protocols.ros.interfaces import interfaces
from mobilesim_py.protocols.ros.rows import Dialect
from mobilesim_py.protocols.rosbridge.type_details import type_definitions

ROS1 = interfaces(Dialect.ROS1)


def details(name: str):
    return type_definitions(ROS1.message(name), name, ROS1)["typedefs"]


def test_examples_are_what_python_prints_for_nothing():
    kind = ROS1.service("std_srvs/SetBool")
    (request,) = type_definitions(kind.request, "std_srvs/SetBoolRequest", ROS1)["typedefs"]
    assert (request["type"], request["examples"]) == ("std_srvs/SetBoolRequest", ["False"])
    (response,) = type_definitions(kind.response, "std_srvs/SetBoolResponse", ROS1)["typedefs"]
    assert response["examples"] == ["False", ""]


def test_times_are_types_of_their_own_and_constants_stand_in_the_order_of_the_alphabet():
    status, goal, time = details("actionlib_msgs/GoalStatus")
    assert (status["constnames"][0], status["constvalues"][0]) == ("ABORTED", "4")
    assert (goal["fieldtypes"], time["type"], time["fieldtypes"]) == (["time", "string"], "time", ["int32", "int32"])


def test_lengths_tell_values_from_arrays():
    pose = details("geometry_msgs/PoseWithCovariance")[0]
    assert (pose["fieldarraylen"].tolist(), pose["examples"]) == ([-1, 36], ["{}", "[]"])
    assert details("sensor_msgs/LaserScan")[0]["fieldarraylen"][-1] == 0


def test_a_type_that_is_met_twice_is_told_once():
    assert [part["type"] for part in details("geometry_msgs/Twist")] == ["geometry_msgs/Twist", "geometry_msgs/Vector3"]


def test_an_old_version_goes_by_its_plain_name():
    names = [part["type"] for part in details("trimbot_msgs/GardenObjects@1.0.0")]
    assert names[1] == "trimbot_msgs/GardenObject"
