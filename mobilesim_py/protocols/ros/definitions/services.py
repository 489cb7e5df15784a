"""Services of the standard packages and of rosapi."""

SERVICES = """
std_srvs/Empty                  ---
std_srvs/SetBool                bool data --- bool success | string message
std_srvs/Trigger                --- bool success | string message
nav_msgs/GetMap                 --- OccupancyGrid map
nav_msgs/GetPlan                geometry_msgs/PoseStamped start | geometry_msgs/PoseStamped goal
                                float32 tolerance --- Path plan
nav_msgs/SetMap                 OccupancyGrid map
                                geometry_msgs/PoseWithCovarianceStamped initial_pose --- bool success
roscpp/GetLoggers               --- Logger[] loggers
roscpp/SetLoggerLevel           string logger | string level ---
tf2_web_republisher/RepublishTFs    string[] source_frames | string target_frame | float32 angular_thres
                                    float32 trans_thres
                                    float32 rate | duration timeout --- string topic_name

rosapi/DeleteParam              string name ---
rosapi/GetActionServers         --- string[] action_servers
rosapi/GetParam                 string name | @1 string default | @2 string default_value --- string value
rosapi/GetParamNames            --- string[] names
rosapi/GetROSVersion            --- uint8 version | string distro
rosapi/GetTime                  --- time time
rosapi/HasParam                 string name --- bool exists
rosapi/MessageDetails           string type --- TypeDef[] typedefs
rosapi/NodeDetails              string node --- string[] subscribing | string[] publishing | string[] services
rosapi/Nodes                    --- string[] nodes
rosapi/Publishers               string topic --- string[] publishers
rosapi/SearchParam              string name --- string global_name
rosapi/ServiceHost              string service --- string host
rosapi/ServiceNode              string service --- string node
rosapi/ServiceProviders         string service --- string[] providers
rosapi/ServiceRequestDetails    string type --- TypeDef[] typedefs
rosapi/ServiceResponseDetails   string type --- TypeDef[] typedefs
rosapi/ServiceType              string service --- string type
rosapi/Services                 --- string[] services
rosapi/ServicesForType          string type --- string[] services
rosapi/SetParam                 string name | string value ---
rosapi/Subscribers              string topic --- string[] subscribers
rosapi/TopicType                string topic --- string type
rosapi/Topics                   --- string[] topics | string[] types
rosapi/TopicsAndRawTypes        --- string[] topics | string[] types | string[] typedefs_full_text
rosapi/TopicsForType            string type --- string[] topics
"""
