// What a program meets in this library's interface, so that one import is enough.
@_exported import AlertBusModel
@_exported import enum AlertBusWire.JSONValue
@_exported import struct AlertBusWire.SubscriberSummary
@_exported import struct ZeroMQ.CurveKeyPair
@_exported import struct ZeroMQ.CurvePublicKey
@_exported import struct ZeroMQ.CurveSecretKey
