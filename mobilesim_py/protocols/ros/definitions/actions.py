"""Actions: goal, result and feedback. ROS 1 carries them as the messages of actionlib; see `robots.py`."""

ACTIONS = """
move_base_msgs/MoveBase         geometry_msgs/PoseStamped target_pose --- --- geometry_msgs/PoseStamped base_position
nav2_msgs/NavigateToPose        geometry_msgs/PoseStamped pose | string behavior_tree
                                --- uint16 error_code | string error_msg
                                --- geometry_msgs/PoseStamped current_pose | duration navigation_time
                                duration estimated_time_remaining | int16 number_of_recoveries
                                float32 distance_remaining
simulation_interfaces/SimulateSteps     uint64 steps --- Result result --- uint64 completed_steps
                                        uint64 remaining_steps
tf2_web_republisher/TFSubscription      string[] source_frames | string target_frame | float32 angular_thres
                                        float32 trans_thres
                                        float32 rate --- --- geometry_msgs/TransformStamped[] transforms
"""
