"""Full texts, as connection headers and bags carry them."""

from __future__ import annotations

RULE = "=" * 80 + "\n"


def test_each_nested_type_stands_once_behind_the_type_itself(ros1):
    text = ros1.message("geometry_msgs/Twist").full_text
    assert text == (
        "geometry_msgs/Vector3 linear\ngeometry_msgs/Vector3 angular\n"
        + RULE
        + "MSG: geometry_msgs/Vector3\nfloat64 x\nfloat64 y\nfloat64 z\n"
    )


def test_ros_2_has_times_as_messages(ros2):
    text = ros2.message("std_msgs/Header").full_text
    assert text.startswith("builtin_interfaces/Time stamp\nstring frame_id\n")
    assert RULE + "MSG: builtin_interfaces/Time\nint32 sec\nuint32 nanosec\n" in text
    assert "builtin" not in ros2.message("geometry_msgs/Twist").full_text
