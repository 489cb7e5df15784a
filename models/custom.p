;; A robot of your own, as ARIA describes robots: `MobileSim -r custom.p`. What is not here is as ARIA has it by default.
Section General settings
Class Pioneer
Subclass custom
RobotRadius 230
RobotDiagonal 110
RobotWidth 340
RobotLength 420
Holonomic true
MaxRVelocity 360
MaxVelocity 900

Section Conversion factors
AngleConvFactor 0.001534
DistConvFactor 1.0
VelConvFactor 1.0
RangeConvFactor 1.0

Section Movement control parameters
SettableVelMaxes true
TransVelMax 600
RotVelMax 90
SettableAccsDecs true
TransAccel 400
TransDecel 400
RotAccel 120
RotDecel 120

Section Sonar parameters
SonarNum 4
SonarUnit 0 60 120 90
SonarUnit 1 150 60 30
SonarUnit 2 150 -60 -30
SonarUnit 3 60 -120 -90

Section Laser parameters
LaserType lms1xx
LaserX 80
LaserY 0
LaserTh 0
