"""Messages and services of simulation_interfaces: how ROS 2 tools steer any simulator."""

SIMULATION_MESSAGES = """
simulation_interfaces/Bounds            uint8 TYPE_EMPTY=0 | uint8 TYPE_BOX=1 | uint8 TYPE_CONVEX_HULL=2
                                        uint8 TYPE_SPHERE=3
                                        uint8 type | geometry_msgs/Vector3[] points
simulation_interfaces/EntityCategory    uint8 CATEGORY_OBJECT=0 | uint8 CATEGORY_ROBOT=1 | uint8 CATEGORY_HUMAN=2
                                        uint8 CATEGORY_DYNAMIC_OBJECT=4 | uint8 CATEGORY_STATIC_OBJECT=5
                                        uint8 category
simulation_interfaces/EntityFilters     string filter | EntityCategory[] categories | TagsFilter tags | Bounds bounds
simulation_interfaces/EntityInfo        EntityCategory category | string description | string[] tags
simulation_interfaces/EntityState       Header header | geometry_msgs/Pose pose | geometry_msgs/Twist twist
                                        geometry_msgs/Accel acceleration
simulation_interfaces/NamedPose         string name | string description | string[] tags | geometry_msgs/Pose pose
simulation_interfaces/Resource          string uri | string resource_string
simulation_interfaces/Result            uint8 RESULT_FEATURE_UNSUPPORTED=0 | uint8 RESULT_OK=1
                                        uint8 RESULT_NOT_FOUND=2
                                        uint8 RESULT_INCORRECT_STATE=3 | uint8 RESULT_OPERATION_FAILED=4
                                        uint8 result | string error_message
simulation_interfaces/SimulationState   uint8 STATE_STOPPED=0 | uint8 STATE_PLAYING=1 | uint8 STATE_PAUSED=2
                                        uint8 STATE_QUITTING=3
                                        uint8 STATE_NO_WORLD=4 | uint8 STATE_LOADING_WORLD=5 | uint8 state
simulation_interfaces/SimulatorFeatures
    uint8 SPAWNING=0 | uint8 DELETING=1 | uint8 NAMED_POSES=2 | uint8 POSE_BOUNDS=3 | uint8 ENTITY_TAGS=4
    uint8 ENTITY_BOUNDS=5
    uint8 ENTITY_BOUNDS_BOX=6 | uint8 ENTITY_BOUNDS_CONVEX=7 | uint8 ENTITY_CATEGORIES=8
    uint8 SPAWNING_RESOURCE_STRING=9
    uint8 ENTITY_STATE_GETTING=10 | uint8 ENTITY_STATE_SETTING=11 | uint8 ENTITY_INFO_GETTING=12
    uint8 ENTITY_INFO_SETTING=13
    uint8 SPAWNABLES=14 | uint8 SIMULATION_RESET=20 | uint8 SIMULATION_RESET_TIME=21 | uint8 SIMULATION_RESET_STATE=22
    uint8 SIMULATION_RESET_SPAWNED=23 | uint8 SIMULATION_STATE_GETTING=24 | uint8 SIMULATION_STATE_SETTING=25
    uint8 SIMULATION_STATE_PAUSE=26 | uint8 STEP_SIMULATION_SINGLE=31 | uint8 STEP_SIMULATION_MULTIPLE=32
    uint8 STEP_SIMULATION_ACTION=33 | uint8 WORLD_LOADING=40 | uint8 WORLD_RESOURCE_STRING=41 | uint8 WORLD_TAGS=42
    uint8 WORLD_UNLOADING=43 | uint8 WORLD_INFO_GETTING=44 | uint8 AVAILABLE_WORLDS=45 | uint8 SPAWNING_ENTITIES=50
    uint16[] features | string[] spawn_formats | string custom_info
simulation_interfaces/SpawnEntity       string name | bool allow_renaming | Resource entity_resource
                                        string entity_namespace
                                        geometry_msgs/PoseStamped initial_pose
simulation_interfaces/SpawnResult
    uint8 NAME_NOT_UNIQUE=101 | uint8 NAME_INVALID=102 | uint8 UNSUPPORTED_FORMAT=103 | uint8 NO_RESOURCE=104
    uint8 NAMESPACE_INVALID=105 | uint8 RESOURCE_PARSE_ERROR=106 | uint8 MISSING_ASSETS=107
    uint8 UNSUPPORTED_ASSETS=108
    uint8 INVALID_POSE=109 | Result result | string entity_name
simulation_interfaces/Spawnable         Resource entity_resource | string description | Bounds spawn_bounds
simulation_interfaces/TagsFilter        string[] tags | uint8 FILTER_MODE_ANY=0 | uint8 FILTER_MODE_ALL=1
                                        uint8 filter_mode
simulation_interfaces/WorldResource     string name | Resource world_resource | string description | string[] tags
"""

SIMULATION_SERVICES = """
simulation_interfaces/DeleteEntity          string entity --- Result result
simulation_interfaces/GetAvailableWorlds    string[] additional_sources | TagsFilter filter | bool offline_only
                                            bool continue_on_error
                                            --- uint8 DEFAULT_SOURCES_FAILED=101 | Result result
                                            WorldResource[] worlds
simulation_interfaces/GetCurrentWorld       --- uint8 NO_WORLD_LOADED=101 | Result result | WorldResource world
simulation_interfaces/GetEntities           EntityFilters filters --- Result result | string[] entities
simulation_interfaces/GetEntitiesStates     EntityFilters filters --- Result result | string[] entities
                                            EntityState[] states
simulation_interfaces/GetEntityBounds       string entity --- Result result | Bounds bounds
simulation_interfaces/GetEntityInfo         string entity --- Result result | EntityInfo info
simulation_interfaces/GetEntityState        string entity --- Result result | EntityState state
simulation_interfaces/GetNamedPoseBounds    string name --- Result result | Bounds bounds
simulation_interfaces/GetNamedPoses         TagsFilter tags --- Result result | NamedPose[] poses
simulation_interfaces/GetSimulationState    --- SimulationState state | Result result
simulation_interfaces/GetSimulatorFeatures  --- SimulatorFeatures features
simulation_interfaces/GetSpawnables         string[] sources --- Result result | Spawnable[] spawnables
simulation_interfaces/LoadWorld
    Resource world_resource | bool fail_on_unsupported_element | bool ignore_missing_or_unsupported_assets
    --- uint8 UNSUPPORTED_FORMAT=101 | uint8 NO_RESOURCE=102 | uint8 RESOURCE_PARSE_ERROR=103 | uint8 MISSING_ASSETS=104
    uint8 UNSUPPORTED_ASSETS=105 | uint8 UNSUPPORTED_ELEMENTS=106 | Result result | WorldResource world
simulation_interfaces/ResetSimulation       uint8 SCOPE_DEFAULT=0 | uint8 SCOPE_TIME=1 | uint8 SCOPE_STATE=2
                                            uint8 SCOPE_SPAWNED=4
                                            uint8 SCOPE_ALL=255 | uint8 scope --- Result result
simulation_interfaces/SetEntityInfo         string entity | EntityInfo info --- Result result
simulation_interfaces/SetEntityState        string entity | EntityState state | bool set_pose | bool set_twist
                                            bool set_acceleration
                                            --- uint8 INVALID_POSE=101 | Result result
simulation_interfaces/SetSimulationState    SimulationState state --- uint8 ALREADY_IN_TARGET_STATE=101
                                            uint8 STATE_TRANSITION_ERROR=102 | uint8 INCORRECT_TRANSITION=103
                                            Result result
simulation_interfaces/SpawnEntities         SpawnEntity[] spawn_requests --- uint8 ENTITIES_SPAWN_FAILED=150
                                            Result result
                                            SpawnResult[] results
simulation_interfaces/SpawnEntity
    string name | bool allow_renaming | Resource entity_resource | string entity_namespace
    geometry_msgs/PoseStamped initial_pose
    --- uint8 NAME_NOT_UNIQUE=101 | uint8 NAME_INVALID=102 | uint8 UNSUPPORTED_FORMAT=103 | uint8 NO_RESOURCE=104
    uint8 NAMESPACE_INVALID=105 | uint8 RESOURCE_PARSE_ERROR=106 | uint8 MISSING_ASSETS=107
    uint8 UNSUPPORTED_ASSETS=108
    uint8 INVALID_POSE=109 | Result result | string entity_name
simulation_interfaces/StepSimulation        uint64 steps --- Result result
simulation_interfaces/UnloadWorld           --- uint8 NO_WORLD_LOADED=101 | Result result
"""
