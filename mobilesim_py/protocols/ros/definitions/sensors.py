"""Messages of sensor_msgs."""

SENSOR_MESSAGES = """
sensor_msgs/BatteryState        uint8 POWER_SUPPLY_STATUS_UNKNOWN=0 | uint8 POWER_SUPPLY_STATUS_CHARGING=1
                                uint8 POWER_SUPPLY_STATUS_DISCHARGING=2 | uint8 POWER_SUPPLY_STATUS_NOT_CHARGING=3
                                uint8 POWER_SUPPLY_STATUS_FULL=4
                                uint8 POWER_SUPPLY_HEALTH_UNKNOWN=0 | uint8 POWER_SUPPLY_HEALTH_GOOD=1
                                uint8 POWER_SUPPLY_HEALTH_OVERHEAT=2 | uint8 POWER_SUPPLY_HEALTH_DEAD=3
                                uint8 POWER_SUPPLY_HEALTH_OVERVOLTAGE=4 | uint8 POWER_SUPPLY_HEALTH_UNSPEC_FAILURE=5
                                uint8 POWER_SUPPLY_HEALTH_COLD=6 | uint8 POWER_SUPPLY_HEALTH_WATCHDOG_TIMER_EXPIRE=7
                                uint8 POWER_SUPPLY_HEALTH_SAFETY_TIMER_EXPIRE=8
                                uint8 POWER_SUPPLY_TECHNOLOGY_UNKNOWN=0 | uint8 POWER_SUPPLY_TECHNOLOGY_NIMH=1
                                uint8 POWER_SUPPLY_TECHNOLOGY_LION=2 | uint8 POWER_SUPPLY_TECHNOLOGY_LIPO=3
                                uint8 POWER_SUPPLY_TECHNOLOGY_LIFE=4 | uint8 POWER_SUPPLY_TECHNOLOGY_NICD=5
                                uint8 POWER_SUPPLY_TECHNOLOGY_LIMN=6
                                @2 uint8 POWER_SUPPLY_TECHNOLOGY_TERNARY=7 | @2 uint8 POWER_SUPPLY_TECHNOLOGY_VRLA=8
                                Header header | float32 voltage | float32 temperature | float32 current | float32 charge
                                float32 capacity | float32 design_capacity | float32 percentage
                                uint8 power_supply_status | uint8 power_supply_health | uint8 power_supply_technology
                                bool present
                                float32[] cell_voltage | float32[] cell_temperature | string location
                                string serial_number
sensor_msgs/CameraInfo          Header header | uint32 height | uint32 width | string distortion_model
                                @1 float64[] D | @1 float64[9] K | @1 float64[9] R | @1 float64[12] P
                                @2 float64[] d | @2 float64[9] k | @2 float64[9] r | @2 float64[12] p
                                uint32 binning_x | uint32 binning_y | RegionOfInterest roi
sensor_msgs/ChannelFloat32      string name | float32[] values
sensor_msgs/CompressedImage     Header header | string format | uint8[] data
sensor_msgs/Image               Header header | uint32 height | uint32 width | string encoding | uint8 is_bigendian
                                uint32 step
                                uint8[] data
sensor_msgs/Imu                 Header header
                                geometry_msgs/Quaternion orientation | float64[9] orientation_covariance
                                geometry_msgs/Vector3 angular_velocity | float64[9] angular_velocity_covariance
                                geometry_msgs/Vector3 linear_acceleration | float64[9] linear_acceleration_covariance
sensor_msgs/JointState          Header header | string[] name | float64[] position | float64[] velocity
                                float64[] effort
sensor_msgs/Joy                 Header header | float32[] axes | int32[] buttons
sensor_msgs/LaserScan           Header header | float32 angle_min | float32 angle_max | float32 angle_increment
                                float32 time_increment
                                float32 scan_time | float32 range_min | float32 range_max | float32[] ranges
                                float32[] intensities
sensor_msgs/MagneticField       Header header | geometry_msgs/Vector3 magnetic_field
                                float64[9] magnetic_field_covariance
sensor_msgs/NavSatFix           Header header | NavSatStatus status | float64 latitude | float64 longitude
                                float64 altitude
                                float64[9] position_covariance
                                uint8 COVARIANCE_TYPE_UNKNOWN=0 | uint8 COVARIANCE_TYPE_APPROXIMATED=1
                                uint8 COVARIANCE_TYPE_DIAGONAL_KNOWN=2 | uint8 COVARIANCE_TYPE_KNOWN=3
                                uint8 position_covariance_type
sensor_msgs/NavSatStatus        @2 int8 STATUS_UNKNOWN=-2
                                int8 STATUS_NO_FIX=-1 | int8 STATUS_FIX=0 | int8 STATUS_SBAS_FIX=1
                                int8 STATUS_GBAS_FIX=2
                                int8 status
                                @2 uint16 SERVICE_UNKNOWN=0
                                uint16 SERVICE_GPS=1 | uint16 SERVICE_GLONASS=2 | uint16 SERVICE_COMPASS=4
                                uint16 SERVICE_GALILEO=8
                                uint16 service
sensor_msgs/PointCloud          Header header | geometry_msgs/Point32[] points | ChannelFloat32[] channels
sensor_msgs/PointCloud2         Header header | uint32 height | uint32 width | PointField[] fields | bool is_bigendian
                                uint32 point_step | uint32 row_step | uint8[] data | bool is_dense
sensor_msgs/PointField          uint8 INT8=1 | uint8 UINT8=2 | uint8 INT16=3 | uint8 UINT16=4
                                uint8 INT32=5 | uint8 UINT32=6 | uint8 FLOAT32=7 | uint8 FLOAT64=8
                                string name | uint32 offset | uint8 datatype | uint32 count
sensor_msgs/Range               uint8 ULTRASOUND=0 | uint8 INFRARED=1
                                Header header | uint8 radiation_type | float32 field_of_view | float32 min_range
                                float32 max_range
                                float32 range | @2 float32 variance
sensor_msgs/RegionOfInterest    uint32 x_offset | uint32 y_offset | uint32 height | uint32 width | bool do_rectify
sensor_msgs/Temperature         Header header | float64 temperature | float64 variance
"""
