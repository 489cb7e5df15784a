"""Messages of certain robots and their programs: RosAria, p2os, TrimBot, move_base, the transforms of web clients."""

ROBOT_MESSAGES = """
rosaria/BumperState             Header header | bool[] front_bumpers | bool[] rear_bumpers

p2os_msgs/AIO                   uint8 voltages_count | float32[] voltages
p2os_msgs/BatteryState          Header header | float32 voltage
p2os_msgs/DIO                   uint32 count | uint16 bits
p2os_msgs/GripState             uint32 state | int32 dir | bool inner_beam | bool outer_beam | bool left_contact
                                bool right_contact
p2os_msgs/GripperState          GripState grip | LiftState lift
p2os_msgs/LiftState             int32 state | int32 dir | float32 position
p2os_msgs/MotorState            int32 state
p2os_msgs/PTZState              int32 pan | int32 tilt | int32 zoom | bool relative
p2os_msgs/SonarArray            Header header | int32 ranges_count | float64[] ranges

trimbot_msgs/GardenObject       Header header | uint32 id | uint32 map | uint32[] proto | uint32 label | uint32 shape
                                geometry_msgs/Pose pose | geometry_msgs/Vector3 scale | uint32[3] dim | bool[] occup
                                shape_msgs/Mesh geometry
trimbot_msgs/GardenObjects      GardenObject[] items
trimbot_msgs/MapObject          Header header | uint32 id | uint32 label | uint32 shape | float32[3] param
                                geometry_msgs/Pose pose | geometry_msgs/Vector3 scale | shape_msgs/Mesh geometry
                                uint32 parent | uint32[] child
trimbot_msgs/MapObjects         MapObject[] items
trimbot_msgs/VisualServoObject  Header header | float32 distance | float32 angle
trimbot_msgs/GardenObject@1.0.0     Header header | uint32 id | uint32 map | uint32[] proto | geometry_msgs/Point32 pos
                                    geometry_msgs/Vector3 orient | geometry_msgs/Vector3 box | uint32[3] dim
                                    bool[] occup
                                    shape_msgs/Mesh geometry
trimbot_msgs/GardenObjects@1.0.0    GardenObject[] items
trimbot_msgs/MapObject@1.0.0        Header header | uint32 id | uint32 label | uint32 shape | float32[3] param
                                    geometry_msgs/Point32 pos | geometry_msgs/Quaternion orient
                                    shape_msgs/Mesh geometry
                                    uint32 parent | uint32[] child
trimbot_msgs/MapObjects@1.0.0       MapObject[] items

move_base_msgs/MoveBaseAction           MoveBaseActionGoal action_goal | MoveBaseActionResult action_result
                                        MoveBaseActionFeedback action_feedback
move_base_msgs/MoveBaseActionFeedback   Header header | actionlib_msgs/GoalStatus status | MoveBaseFeedback feedback
move_base_msgs/MoveBaseActionGoal       Header header | actionlib_msgs/GoalID goal_id | MoveBaseGoal goal
move_base_msgs/MoveBaseActionResult     Header header | actionlib_msgs/GoalStatus status | MoveBaseResult result
move_base_msgs/MoveBaseFeedback         geometry_msgs/PoseStamped base_position
move_base_msgs/MoveBaseGoal             geometry_msgs/PoseStamped target_pose
move_base_msgs/MoveBaseResult

tf2_web_republisher/TFArray                     geometry_msgs/TransformStamped[] transforms
tf2_web_republisher/TFSubscriptionActionFeedback    Header header | actionlib_msgs/GoalStatus status
    TFSubscriptionFeedback feedback
tf2_web_republisher/TFSubscriptionActionGoal        Header header | actionlib_msgs/GoalID goal_id
    TFSubscriptionGoal goal
tf2_web_republisher/TFSubscriptionActionResult      Header header | actionlib_msgs/GoalStatus status
    TFSubscriptionResult result
tf2_web_republisher/TFSubscriptionFeedback      geometry_msgs/TransformStamped[] transforms
tf2_web_republisher/TFSubscriptionGoal          string[] source_frames | string target_frame | float32 angular_thres
                                                float32 trans_thres | float32 rate
tf2_web_republisher/TFSubscriptionResult
"""
