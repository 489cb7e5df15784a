"""THE table of what ours does otherwise than the original, and where that shows in the recordings. All else must agree.

Each row says what the original does, what ours does, and what is let off because of it:

    motion   stretches of a recording, named by the commands that begin them     (test_motion.py)
    values   what a client's packets go through in a recording, `client.quantity` (test_conversations.py)
    fields   fields of packets, `packet.field`                                    (test_handshake.py)
    tests    the tests that say how ours is instead, or that allow for it

No exception is idle: a stretch or value that is let off must really differ, a field must be let off somewhere, and the
tests must be there (test_differences.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Difference:
    """One thing that is otherwise on purpose."""

    name: str
    original: str
    ours: str
    motion: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    fields: frozenset[str] = frozenset()
    tests: tuple[str, ...] = ()


def _fields(packet: str, *names: str) -> frozenset[str]:
    return frozenset(f"{packet}.{name}" for name in names)


DIFFERENCES: tuple[Difference, ...] = (
    Difference(
        "robot name",
        "calls itself by its own name in SYNC2, CONFIG and SIMINFO",
        "is called MobileSim",
        fields=_fields("config", "name"),
        tests=(
            "test_the_answers_to_syncs_are_the_recorded_bytes_but_for_the_name",
            "test_siminfo_lists_as_many_devices_of_the_same_types",
        ),
    ),
    Difference(
        "reversal",
        "a speed whose sign changes is there at once",
        "ramps through zero",
        motion={
            "rotate": ("ROTATE -30",),
            "vel_reverse_sign": ("VEL -500", "VEL 500 #2"),
            "vel_reverse_unequal": ("VEL -300", "ROTATE -30", "ROTATE 60 #2"),
            "vel2": ("VEL2 1290", "VEL2 -2314"),
        },
        tests=("test_a_reversed_speed_ramps_through_zero",),
    ),
    Difference(
        "approach",
        "MOVE, HEAD and DHEAD approach by a proportional law that crawls for seconds; negative ones jump and overshoot",
        "a trapezoid at the speed of SETV or SETRV that ends on the spot, the same for both signs",
        motion={
            "move_1000": ("MOVE 1000", "MOVE -500", "MOVE 300"),
            "move_5000_long": ("MOVE 5000",),
            "move_heading90": ("HEAD 90", "MOVE 1000"),
            "move_negative_from_rest": ("MOVE -500", "DHEAD -90"),
            "head_90": ("HEAD 90", "HEAD 180", "HEAD 270", "HEAD 0", "HEAD -90", "HEAD 359"),
            "dhead": ("DHEAD 90", "DHEAD -45", "DHEAD 180", "DHEAD 10"),
            "setv_seta": (
                "MOVE 1500",
                "SETRA 20, ROTATE 60",  # The original is still on the last 50 mm of its MOVE here.
                "SETRA 100, SETRA -100, SETRV 20, HEAD 120",
            ),
        },
        tests=(
            "test_a_move_ends_within_5_mm_without_overshoot",
            "test_a_move_arrives_no_later_than_the_original",
            "test_a_turn_ends_within_a_third_of_a_degree_without_overshoot",
            "test_a_turn_arrives_no_later_than_the_original",
            "test_relative_turns_across_half_a_turn_are_exact",
        ),
    ),
    Difference(
        "speed limits",
        "SETV and SETRV do not limit VEL and RVEL",
        "they do",
        motion={"setv_seta": ("SETV 400, SETA -600, VEL 600", "VEL 0")},
        tests=("test_setv_limits_vel",),
    ),
    Difference(
        "turning into walls",
        "rotation is never blocked; a robot can turn its corner into a wall, and the stall flag flickers while inching",
        "a robot that turns at a wall gives way by what its corners need; the stall flag stays while pushing",
        tests=("test_a_robot_that_pushes_at_a_wall_is_stalled_as_the_original_is",),
    ),
    Difference(
        "rotational odometry error",
        "is 57 times smaller than documented",
        "is the documented share of the rotation",
        motion={"odometry_error_constant": ("ROTATE 90",)},
        tests=("test_odometry_errs_by_the_documented_share_of_the_rotation",),
    ),
    Difference(
        "resolution of SIPs",
        "heading in whole degrees, rotation in whole degrees per second",
        "full resolution of the fields",
        tests=("test_ours_moves_as_recorded_wherever_nothing_is_meant_to_differ",),
    ),
    Difference(
        "moving SIPs",
        "the id is always 0x32",
        "0x33 while the robot moves",
        tests=("test_a_moving_robot_says_so_by_the_id_and_a_standing_one_too",),
    ),
    Difference(
        "CONFIG tells of the model",
        "the same limits and session defaults for every model, front and rear sonar alike, no bumpers, no gyro, no encoders",
        "the model's own",
        fields=_fields(
            "config",
            "rotation_speed_top",
            "speed_top",
            "rotation_speed_max",
            "speed_max",
            "rotation_acceleration",
            "rotation_deceleration",
            "acceleration",
            "deceleration",
            "lateral_speed_top",
            "lateral_speed_max",
            "lateral_acceleration",
            "lateral_deceleration",
            "front_sonar",
            "rear_sonar",
            "front_bumpers",
            "rear_bumpers",
            "gyro_type",
            "charger",
            "ticks_per_mm",
            "rev_count",
        ),
        tests=(
            "test_config_never_tells_a_limit_of_zero_for_driving",
            "test_config_tells_which_sonar_arrays_the_model_has",
            "test_config_follows_what_was_set_as_recorded",
        ),
    ),
    Difference(
        "have a map",
        "bit 0 of SIMSTAT's flags is never set; a heading may be any number of turns",
        "bit 0 is set when there is a map; headings are -180 to 180",
        fields=_fields("simstat", "flag 0"),
        tests=("test_set_pose_moves_the_true_pose_only_and_the_next_scan_says_so",),
    ),
    Difference(
        "geodesy",
        "latitude and altitude of a georeferenced map are off by a hundred metres",
        "at the map's origin they are those of OriginLatLongAlt",
        fields=_fields("simstat", "latitude", "longitude", "altitude"),
        tests=("test_latitude_and_longitude_are_those_of_the_map_with_ten_million_units_per_degree",),
    ),
    Difference(
        "GPS antenna",
        "is in the middle of a p3dx-sh",
        "is where the parameter file of the clients has it",
        tests=("test_the_longitude_of_a_p3dx_sh_is_that_of_its_antenna",),
    ),
    Difference(
        "edge of the empty world",
        "--nomap is a world of 500 m (200 m in the manual) with an edge",
        "it has no edge",
        tests=("test_the_empty_world_has_no_edge",),
    ),
    Difference(
        "sonar switched on",
        "the first SIP after SONAR 1 says that they are on and has no readings",
        "it has all of them",
        tests=("test_sonar_that_are_switched_on_tell_their_readings_at_once",),
    ),
    Difference(
        "lasers of their own",
        "the index byte of the laser commands is ignored, and every laser is device 0 in packets 0x61",
        "commands are for the laser of the index byte, if the robot has it, and packets tell it",
        tests=("test_the_second_laser_is_commanded_and_told_apart",),
    ),
    Difference(
        "unsupported commands",
        "are ignored silently unless --warn-unsupported-commands",
        "each is named in one warning of a session, as the manual says",
        tests=("test_each_unsupported_command_is_named_once",),
    ),
    Difference(
        "old laser commands",
        "36 and 37 leave the laser on",
        "they turn it off until the next 35, as the manual says",
        tests=("test_the_old_field_of_view_commands_turn_the_laser_off",),
    ),
    Difference(
        "MOVE",
        "moves every robot",
        "is ignored by models whose parameter file says that they do not know it",
        tests=("test_a_robot_that_does_not_know_move_stays",),
    ),
    Difference(
        "device data",
        "command 229 is ignored",
        "`gps` 0 is answered with packet 0x64, as testMobileSim expects it",
        tests=("test_a_request_for_gps_data_is_answered",),
    ),
    Difference(
        "devices that it never had",
        "ignores the commands of encoders, gripper, I/O, gyro, serial ports, battery, joystick, sounds and so on",
        "answers with their packets, and KICK sets an output",
        values={
            "unsupported_commands": ("A.ids", "A.digital_out"),
            "unsupported_commands_quiet": ("A.ids", "A.digital_out"),
        },
        tests=("test_devices_that_the_original_never_had_answer",),
    ),
    Difference(
        "35 alone",
        "turns the laser on",
        "is ADSEL, unless 36, 37 or 38 has set the laser up, or --srisim-compat is given",
        tests=("test_35_alone_chooses_an_analog_port",),
    ),
    Difference(
        "device names",
        "SIMINFO gives the definition's name as a device's type, and an index that is garbage for the first",
        "types are `sonar` and `laser` as the manual says, and the index is right",
        tests=("test_siminfo_lists_as_many_devices_of_the_same_types",),
    ),
    Difference(
        "start heading",
        "home and --start headings in degrees are taken for radians; factory robots start on one spot",
        "degrees are degrees; robots never start inside one another",
        tests=(
            "test_start_headings_are_degrees_which_the_original_takes_for_radians",
            "test_the_first_robot_of_a_factory_starts_where_the_original_starts_it_and_no_two_overlap",
        ),
    ),
    Difference(
        "beam angles",
        "reading i is at start + i * FOV / n, always symmetric about straight ahead",
        "at start + i * increment, between start and end as asked; n = FOV / increment + 1",
        values={"laser_fovs_room": ("A.laser", "A.laser layout")},
        tests=(
            "test_laser_packets_have_the_recorded_layout",
            "test_laser_scans_in_a_room_agree_with_the_recording",
            "test_readings_are_an_increment_apart_from_start_to_end",
        ),
    ),
    Difference(
        "exact ranges",
        "ranges end at the border of a 20 mm cell",
        "ranges are exact",
        tests=(
            "test_every_laser_reading_among_random_walls_and_points_is_that_of_brute_force",
            "test_sonar_in_a_room_agrees_with_the_recording",
        ),
    ),
    Difference(
        "map objects",
        "Sim.* attributes reset each other: boxes are invisible to lasers or are not made at all",
        "every attribute means what the manual says",
        tests=(
            "test_laser_scans_in_an_office_agree_with_the_recording",
            "test_boxes_are_seen_by_lasers_and_sonar_as_their_attributes_say",
        ),
    ),
    Difference(
        "digital output",
        "DIGOUT toggles bits that are set already",
        "sets the masked bits",
        values={"reconnect_settings_persist": ("A.digital_out", "B.digital_out")},
    ),
    Difference(
        "sessions start alike",
        "motors are off in later sessions; ramps, laser, outputs and battery leak into the next",
        "every session begins with motors on and everything as new",
        values={
            "reconnect_after_close": ("B0.flags",),
            "reconnect_after_tcp_close": ("B.flags",),
            "reconnect_settings_persist": ("B.flags", "B.battery", "B.battery_voltage", "B.laser", "B.laser layout"),
            "sync_out_of_order": ("B.flags",),
        },
        tests=("test_after_close_the_port_is_free_at_once_and_the_next_session_begins_like_the_first",),
    ),
    Difference(
        "SIM_RESET",
        "to 0,0,0",
        "to where the robot started, as the manual says",
        tests=("test_sim_reset_brings_the_robot_back_to_its_start_and_its_odometry_to_zero",),
    ),
    Difference(
        "client parameter files",
        "p2d8 counts in whole millimetres, DiffConv of the lx family is 1, amigo-sh-tim3xx has no sonar and peoplebot 24, "
        "patrolbot, mt400 and seekurjr have one laser (the seekurjr's with 271 readings), lasers are some millimetres off",
        "as the parameter files of the clients have it",
        values={"sonar_peoplebot": ("A.sonar",)},
        tests=(
            "test_a_sip_at_rest_has_the_recorded_fields",
            "test_siminfo_lists_as_many_devices_of_the_same_types",
            "test_a_seekurjr_has_a_laser_at_each_end_with_235_readings",
        ),
    ),
    Difference(
        "velocity factor",
        "velocities in the SIP ignore VelConv",
        "use it, as clients do",
        tests=("test_a_client_of_an_amigobot_gets_the_speed_that_it_asked_for",),
    ),
    Difference(
        "state of charge",
        "BATTEST has no effect on robots that tell their state of charge",
        "it has",
        tests=("test_a_robot_that_tells_its_state_of_charge_obeys_battest",),
    ),
    Difference(
        "map changes",
        "SIM_MAP_CHANGED goes to some robots only; a name must be sent one too long; names are case-sensitive",
        "goes to every client; both lengths work; case does not matter",
        values={
            "map_change": ("A.map changes",),
            "map_change_factory": ("A.map changes",),
            "map_change_strlen": ("A.map changes", "A.ids"),
        },
        tests=("test_every_client_hears_of_a_new_map_and_a_master_keeps_others_from_changing_it",),
    ),
    Difference(
        "SIM_STAT without argument",
        "does nothing",
        "is SIM_STAT 1",
        tests=("test_sim_stat_without_an_argument_is_answered_once",),
    ),
    Difference(
        "handshake",
        "any command in the handshake makes the session live without SYNC2; every SYNC is answered",
        "it is answered, and the handshake goes on; a SYNC that the client has repeated is answered once",
        values={"sync_other_command": ("A.syncs", "A.ids", "A.ended")},
        tests=("test_syncs_that_were_sent_again_before_they_were_heard_get_one_answer",),
    ),
    Difference(
        "silent clients",
        "a silent client holds the port for ever, and is hung up on when it speaks at last; after 60 s SIPs stop",
        "the port itself hangs up on who does not finish the handshake in time; SIPs go on",
        values={"no_sync_idle": ("A.syncs", "A.ids", "A.ended")},
        tests=("test_a_silent_client_gets_its_sips_for_ever_and_its_robot_drives_on",),
    ),
    Difference(
        "receiver",
        "length byte 0 ends the simulator; a split packet with more behind it, or FA FA FB, loses packets or wedges",
        "every valid packet is found",
        values={
            "garbage_bytes": ("A.simstats",),
            "burst_unaligned": ("A.simstats", "A.ids"),
            "bad_length_0": ("A.ended", "-.exit"),
        },
        tests=("test_a_split_packet_with_another_behind_it_does_not_stop_the_receiver",),
    ),
    Difference(
        "order of ports",
        "ports follow the alphabetical order of the robots' names, and equal names make one robot; factories mix in",
        "the order of the command line, and every robot is there; factories after them",
        values={
            "multi_robots_name_order": ("A.sonar", "B.sonar", "A.syncs", "B.syncs"),
            "unnamed_robots_three": ("A.syncs", "A.sonar", "-.refused"),
        },
        tests=("test_factories_take_the_ports_after_the_robots",),
    ),
    Difference(
        "SIPs in simulated time",
        "SIPs come every 100 ms of real time whatever the step and speed",
        "every 100 ms of simulated time",
        tests=("test_sips_follow_simulated_time_at_any_step_and_speed",),
    ),
)


def changed_stretches(recording: str) -> dict[str, str]:
    """The stretches of a recording that are otherwise on purpose, each with the name of the difference."""
    return {stretch: difference.name for difference in DIFFERENCES for stretch in difference.motion.get(recording, ())}


def changed_values(recording: str) -> dict[str, str]:
    """The quantities of a recording that are otherwise on purpose, each with the name of the difference."""
    return {value: difference.name for difference in DIFFERENCES for value in difference.values.get(recording, ())}


def is_let_off(name: str) -> bool:
    """Tell whether a field (`packet.field`) is otherwise on purpose."""
    return any(name in difference.fields for difference in DIFFERENCES)
