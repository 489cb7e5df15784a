"""Messages of std_msgs, geometry_msgs, nav_msgs, shapes and markers, transforms, logs and actionlib."""

COMMON_MESSAGES = """
std_msgs/Bool                   bool data
std_msgs/Byte                   byte data
std_msgs/Char                   char data
std_msgs/ColorRGBA              float32 r | float32 g | float32 b | float32 a
std_msgs/Duration               duration data
std_msgs/Empty
std_msgs/Float32                float32 data
std_msgs/Float64                float64 data
std_msgs/Header                 @1 uint32 seq | time stamp | string frame_id
std_msgs/Int8                   int8 data
std_msgs/Int16                  int16 data
std_msgs/Int32                  int32 data
std_msgs/Int64                  int64 data
std_msgs/String                 string data
std_msgs/Time                   time data
std_msgs/UInt8                  uint8 data
std_msgs/UInt16                 uint16 data
std_msgs/UInt32                 uint32 data
std_msgs/UInt64                 uint64 data
std_msgs/MultiArrayDimension    string label | uint32 size | uint32 stride
std_msgs/MultiArrayLayout       MultiArrayDimension[] dim | uint32 data_offset
std_msgs/Float32MultiArray      MultiArrayLayout layout | float32[] data
std_msgs/Float64MultiArray      MultiArrayLayout layout | float64[] data
std_msgs/Int32MultiArray        MultiArrayLayout layout | int32[] data
std_msgs/UInt8MultiArray        MultiArrayLayout layout | uint8[] data

geometry_msgs/Accel             Vector3 linear | Vector3 angular
geometry_msgs/Point             float64 x | float64 y | float64 z
geometry_msgs/Point32           float32 x | float32 y | float32 z
geometry_msgs/PointStamped      Header header | Point point
geometry_msgs/Polygon           Point32[] points
geometry_msgs/PolygonStamped    Header header | Polygon polygon
geometry_msgs/Pose              Point position | Quaternion orientation
geometry_msgs/Pose2D            float64 x | float64 y | float64 theta
geometry_msgs/PoseArray         Header header | Pose[] poses
geometry_msgs/PoseStamped       Header header | Pose pose
geometry_msgs/PoseWithCovariance            Pose pose | float64[36] covariance
geometry_msgs/PoseWithCovarianceStamped     Header header | PoseWithCovariance pose
geometry_msgs/Quaternion        float64 x | float64 y | float64 z | float64 w
geometry_msgs/QuaternionStamped             Header header | Quaternion quaternion
geometry_msgs/Transform         Vector3 translation | Quaternion rotation
geometry_msgs/TransformStamped  Header header | string child_frame_id | Transform transform
geometry_msgs/Twist             Vector3 linear | Vector3 angular
geometry_msgs/TwistStamped      Header header | Twist twist
geometry_msgs/TwistWithCovariance           Twist twist | float64[36] covariance
geometry_msgs/TwistWithCovarianceStamped    Header header | TwistWithCovariance twist
geometry_msgs/Vector3           float64 x | float64 y | float64 z
geometry_msgs/Vector3Stamped    Header header | Vector3 vector
geometry_msgs/Wrench            Vector3 force | Vector3 torque
geometry_msgs/WrenchStamped     Header header | Wrench wrench

nav_msgs/GridCells              Header header | float32 cell_width | float32 cell_height | geometry_msgs/Point[] cells
nav_msgs/MapMetaData            time map_load_time | float32 resolution | uint32 width | uint32 height
                                geometry_msgs/Pose origin
nav_msgs/OccupancyGrid          Header header | MapMetaData info | int8[] data
nav_msgs/Odometry               Header header | string child_frame_id | geometry_msgs/PoseWithCovariance pose
                                geometry_msgs/TwistWithCovariance twist
nav_msgs/Path                   Header header | geometry_msgs/PoseStamped[] poses
map_msgs/OccupancyGridUpdate    Header header | int32 x | int32 y | uint32 width | uint32 height | int8[] data

shape_msgs/Mesh                 MeshTriangle[] triangles | geometry_msgs/Point[] vertices
shape_msgs/MeshTriangle         uint32[3] vertex_indices

visualization_msgs/Marker       @1 uint8 ARROW=0 | @1 uint8 CUBE=1 | @1 uint8 SPHERE=2 | @1 uint8 CYLINDER=3
                                @1 uint8 LINE_STRIP=4
                                @1 uint8 LINE_LIST=5 | @1 uint8 CUBE_LIST=6 | @1 uint8 SPHERE_LIST=7 | @1 uint8 POINTS=8
                                @1 uint8 TEXT_VIEW_FACING=9 | @1 uint8 MESH_RESOURCE=10 | @1 uint8 TRIANGLE_LIST=11
                                @1 uint8 ADD=0 | @1 uint8 MODIFY=0 | @1 uint8 DELETE=2 | @1 uint8 DELETEALL=3
                                @2 int32 ARROW=0 | @2 int32 CUBE=1 | @2 int32 SPHERE=2 | @2 int32 CYLINDER=3
                                @2 int32 LINE_STRIP=4
                                @2 int32 LINE_LIST=5 | @2 int32 CUBE_LIST=6 | @2 int32 SPHERE_LIST=7 | @2 int32 POINTS=8
                                @2 int32 TEXT_VIEW_FACING=9 | @2 int32 MESH_RESOURCE=10 | @2 int32 TRIANGLE_LIST=11
                                @2 int32 ARROW_STRIP=12
                                @2 int32 ADD=0 | @2 int32 MODIFY=0 | @2 int32 DELETE=2 | @2 int32 DELETEALL=3
                                Header header | string ns | int32 id | int32 type | int32 action
                                geometry_msgs/Pose pose
                                geometry_msgs/Vector3 scale | std_msgs/ColorRGBA color | duration lifetime
                                bool frame_locked
                                geometry_msgs/Point[] points | std_msgs/ColorRGBA[] colors
                                @2 string texture_resource | @2 sensor_msgs/CompressedImage texture
                                @2 UVCoordinate[] uv_coordinates
                                string text | string mesh_resource | @2 MeshFile mesh_file
                                bool mesh_use_embedded_materials
visualization_msgs/MarkerArray  Marker[] markers
visualization_msgs/MeshFile     string filename | uint8[] data
visualization_msgs/UVCoordinate float32 u | float32 v

tf2_msgs/TFMessage              geometry_msgs/TransformStamped[] transforms
tf/tfMessage                    geometry_msgs/TransformStamped[] transforms

rosgraph_msgs/Clock             time clock
rosgraph_msgs/Log               byte DEBUG=1 | byte INFO=2 | byte WARN=4 | byte ERROR=8 | byte FATAL=16
                                Header header | byte level | string name | string msg | string file | string function
                                uint32 line
                                string[] topics
rcl_interfaces/Log              uint8 DEBUG=10 | uint8 INFO=20 | uint8 WARN=30 | uint8 ERROR=40 | uint8 FATAL=50
                                time stamp | uint8 level | string name | string msg | string file | string function
                                uint32 line
roscpp/Logger                   string name | string level
rosapi/TypeDef                  string type | string[] fieldnames | string[] fieldtypes | int32[] fieldarraylen
                                string[] examples
                                string[] constnames | string[] constvalues
diagnostic_msgs/DiagnosticArray     Header header | DiagnosticStatus[] status
diagnostic_msgs/DiagnosticStatus    byte OK=0 | byte WARN=1 | byte ERROR=2 | byte STALE=3
                                    byte level | string name | string message | string hardware_id | KeyValue[] values
diagnostic_msgs/KeyValue            string key | string value

actionlib_msgs/GoalID           time stamp | string id
actionlib_msgs/GoalStatus       GoalID goal_id | uint8 status
                                uint8 PENDING=0 | uint8 ACTIVE=1 | uint8 PREEMPTED=2 | uint8 SUCCEEDED=3
                                uint8 ABORTED=4
                                uint8 REJECTED=5 | uint8 PREEMPTING=6 | uint8 RECALLING=7 | uint8 RECALLED=8
                                uint8 LOST=9
                                string text
actionlib_msgs/GoalStatusArray  Header header | GoalStatus[] status_list
"""
