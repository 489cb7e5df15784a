"""The types: found under every spelling, equal to what ROS itself says of them."""

from __future__ import annotations

import pytest
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

from mobilesim_py.protocols.ros.errors import MessageError, UnknownTypeError
from mobilesim_py.protocols.ros.interfaces import Interfaces, interfaces
from mobilesim_py.protocols.ros.rows import Dialect, spelled_type
from mobilesim_py.protocols.ros.stamp import Time

NOETIC = get_typestore(Stores.ROS1_NOETIC)
JAZZY = get_typestore(Stores.ROS2_JAZZY)
ALL_NAMES = interfaces(Dialect.ROS1).message_names
STANDARD = [name for name in ALL_NAMES if spelled_type(name, Dialect.ROS2) in NOETIC.fielddefs]
STANDARD_2 = [name for name in ALL_NAMES if spelled_type(name, Dialect.ROS2) in JAZZY.fielddefs]

SUMS = {  # as real ROS programs showed them
    "std_msgs/Bool": "8b94c1b53db61fb6aed406028ad6332a",
    "std_msgs/String": "992ce8a1687cec8c8bd883ec73ca41d1",
    "geometry_msgs/Twist": "9f195f881246fdfa2798d1d3eebca84a",
    "geometry_msgs/PoseStamped": "d3812c3cbc69362b77dc0b19b345f8f5",
    "geometry_msgs/PoseWithCovarianceStamped": "953b798c0f514ff060a53a3498ce6246",
    "nav_msgs/Odometry": "cd5e73d190d741a2f92e81eda573aca7",
    "nav_msgs/OccupancyGrid": "3381f2d731d4076ec5c71b0759edbe4e",
    "nav_msgs/MapMetaData": "10cfc8a2818024d3248802c00c95f11b",
    "nav_msgs/Path": "6227e2b7e9cce15051f669a5e197bbf7",
    "sensor_msgs/LaserScan": "90c7ef2dc6895d81024acba2ac42f369",
    "sensor_msgs/Imu": "6a62c6daae103f4ff57a132d6f95cec2",
    "sensor_msgs/PointCloud": "d8e9c3f5afbdd8a130fd1d2763945fca",
    "sensor_msgs/PointCloud2": "1158d486dd51d683ce2f1be655c3c181",
    "sensor_msgs/BatteryState": "4ddae7f048e32fda22cac764685e3974",
    "tf2_msgs/TFMessage": "94810edda583a504dfda3829e70d7eec",
    "rosgraph_msgs/Clock": "a9c97c1d230cfc112e270351a944ee47",
    "rosgraph_msgs/Log": "acffd30cd6b6de30f120938c17c593fb",
    "actionlib_msgs/GoalID": "302881f31927c1df708a2dbab0e80ee8",
    "actionlib_msgs/GoalStatusArray": "8b2b82f13216d0a8ea88bd3af735e619",
    "move_base_msgs/MoveBaseActionGoal": "660d6895a1b9a16dce51fbdd9a64a56b",
    "move_base_msgs/MoveBaseActionFeedback": "7d1870ff6e0decea702b943b5af0b42e",
    "move_base_msgs/MoveBaseActionResult": "1eb06eeff08fa7ea874431638cb52332",
    "visualization_msgs/MarkerArray": "d155b9ce5188fbaf89745847fd5882d7",
    "trimbot_msgs/GardenObject": "268ca18e0103074246883cb3b6001f80",
    "trimbot_msgs/GardenObjects": "9353cac751a8cf94427a9d50fd85768e",
    "trimbot_msgs/MapObject": "346df6308751d4eab5d17cd3da319f9c",
    "trimbot_msgs/VisualServoObject": "c26dd542679b78974757dc564b928c3b",
    "trimbot_msgs/GardenObject@1.0.0": "9ea1ae94116ed3195b7f95da01c75364",
    "trimbot_msgs/GardenObjects@1.0.0": "9c01b0f585650b33b00e4a4d249e1ba7",
    "trimbot_msgs/MapObject@1.0.0": "ab90130e0269aa5ac7c0058a437d0dc0",
}


@pytest.mark.parametrize(("name", "md5"), SUMS.items())
def test_md5_sums_are_those_of_real_programs(ros1, name, md5):
    assert ros1.message(name).md5 == md5


@pytest.mark.parametrize("name", STANDARD)
def test_md5_sums_of_standard_types_are_those_of_the_oracle(ros1, name):
    assert ros1.message(name).md5 == NOETIC.generate_msgdef(spelled_type(name, Dialect.ROS2), ros_version=1)[1]


@pytest.mark.parametrize("name", ALL_NAMES)
def test_an_independent_parser_reads_each_definition_text_and_finds_the_same_sum(ros1, name):
    kind = ros1.message(name)
    store = get_typestore(Stores.EMPTY)
    store.register(get_types_from_msg(kind.full_text, spelled_type(kind.name, Dialect.ROS2)))
    assert store.generate_msgdef(spelled_type(kind.name, Dialect.ROS2), ros_version=1)[1] == kind.md5


@pytest.mark.parametrize("name", [name for name in STANDARD_2 if name != "std_msgs/Empty"])
def test_fields_in_the_dialect_of_ros_2_are_those_of_the_oracle(ros2, name):
    spelled = spelled_type(name, Dialect.ROS2)
    parsed = get_types_from_msg(ros2.message(name).full_text, spelled)
    assert parsed[spelled] == JAZZY.fielddefs[spelled]


@pytest.mark.parametrize(
    ("name", "md5"),
    [
        ("nav_msgs/GetMap", "6cdd0a18e0aff5b0a3ca2326a89b54ff"),
        ("std_srvs/Empty", "d41d8cd98f00b204e9800998ecf8427e"),
        ("std_srvs/SetBool", "09fb03525b03e7ea1fd3992bafd87e16"),
        ("std_srvs/Trigger", "937c9679a518e3a18d831e57125ea522"),
    ],
)
def test_md5_sums_of_services(ros1, name, md5):
    assert ros1.service(name).md5 == md5


def test_a_type_is_found_under_both_spellings(ros1, ros2):
    assert ros1.message("nav_msgs/msg/Odometry") is ros1.message("nav_msgs/Odometry")
    assert ros2.message("nav_msgs/Odometry").spelled == "nav_msgs/msg/Odometry"
    assert ros1.message("nav_msgs/Odometry").spelled == "nav_msgs/Odometry"
    assert ros1.service("std_srvs/srv/SetBool") is ros1.service("std_srvs/SetBool")
    assert ros2.service("std_srvs/SetBool").spelled == "std_srvs/srv/SetBool"
    assert ros2.service("rosapi_msgs/srv/Topics").spelled == "rosapi_msgs/srv/Topics"
    assert ros2.action("nav2_msgs/NavigateToPose").spelled == "nav2_msgs/action/NavigateToPose"
    assert ros2.action("nav2_msgs/action/NavigateToPose") is ros2.action("nav2_msgs/NavigateToPose")


@pytest.mark.parametrize(
    "name", ["", "Odometry", "nav_msgs/Nope", "a/b/c", "nav_msgs/msg/", "nav msgs/Odometry", "/", "x" * 9999]
)
def test_unknown_types_are_refused_in_a_short_sentence(ros1, name):
    for find in (ros1.message, ros1.service, ros1.action, ros1.versions):
        if find == ros1.versions and name == "nav_msgs/Nope":
            continue
        with pytest.raises(UnknownTypeError) as refusal:
            find(name)
        assert len(str(refusal.value)) < 250


def test_a_version_is_found_by_its_sum(ros1):
    old = ros1.message("trimbot_msgs/GardenObject@1.0.0")
    assert ros1.with_md5("trimbot_msgs/GardenObject", old.md5) is old
    assert ros1.with_md5("trimbot_msgs/GardenObject", "*") is ros1.message("trimbot_msgs/GardenObject")
    assert [kind.definition.version for kind in ros1.versions("trimbot_msgs/GardenObjects")] == ["", "1.0.0"]
    assert repr(old) == "<trimbot_msgs/GardenObject@1.0.0>"
    with pytest.raises(UnknownTypeError, match="md5 sum 00"):
        ros1.with_md5("trimbot_msgs/GardenObject", "00")


def test_an_old_version_is_made_of_old_parts(ros1):
    objects = ros1.message("trimbot_msgs/GardenObjects@1.0.0")
    assert "geometry_msgs/Point32 pos" in objects.full_text
    assert "@" not in objects.full_text
    assert next(part.name for part in objects.nested()) == "trimbot_msgs/GardenObject"


def test_every_type_of_both_dialects_can_be_made_and_written():
    for dialect in Dialect:
        table = Interfaces(dialect)
        kinds = [table.message(name) for name in table.message_names]
        kinds += [
            part for name in table.service_names for part in (table.service(name).request, table.service(name).response)
        ]
        for name in table.action_names:
            action = table.action(name)
            kinds += [action.goal, action.result, action.feedback]
        for kind in kinds:
            message = kind.make()
            assert kind.deserialise(kind.serialise(message)).keys() == message.keys()
            assert kind.to_json(message).keys() == message.keys()
            assert kind.to_cbor(message)


def test_constants_have_values(ros1):
    assert ros1.message("sensor_msgs/NavSatStatus").constants["STATUS_NO_FIX"] == -1
    assert ros1.message("actionlib_msgs/GoalStatus").constants["LOST"] == 9


def test_a_message_is_made_of_zeros_and_what_is_given(ros1):
    header = ros1.message("std_msgs/Header").make(frame_id="odom")
    assert header == {"seq": 0, "stamp": Time(), "frame_id": "odom"}


@pytest.mark.parametrize("form", ["serialise", "to_json", "to_cbor"])
@pytest.mark.parametrize("dialect", Dialect)
def test_what_does_not_fit_its_type_is_refused_by_name(dialect, form):
    twist = interfaces(dialect).message("geometry_msgs/Twist")
    message = twist.make()
    del message["linear"]["y"]
    with pytest.raises(MessageError, match="geometry_msgs/Twist: field 'y' is missing"):
        getattr(twist, form)(message)
    with pytest.raises(MessageError, match="geometry_msgs/Twist: "):
        getattr(twist, form)(twist.make(linear=7))
    pose = interfaces(dialect).message("geometry_msgs/PoseWithCovariance")
    with pytest.raises(MessageError, match="needs 36 numbers, not 2"):
        getattr(pose, form)(pose.make(covariance=[1, 2]))
    scan = interfaces(dialect).message("sensor_msgs/LaserScan")
    with pytest.raises(MessageError, match="needs a flat array"):
        getattr(scan, form)(scan.make(ranges=[[1.0]]))
