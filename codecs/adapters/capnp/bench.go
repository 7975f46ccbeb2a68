package capnp

import (
	"github.com/rpcbench/rpcbench/codecs/adapters/capnp/schema"
	"github.com/rpcbench/rpcbench/codecs/suite/messages"
)

func writeBench(to schema.Flat, m *messages.Bench) error {
	var e errs
	e.add(to.SetField1(m.Field1))
	to.SetField2(m.Field2)
	to.SetField3(m.Field3)
	if m.Field4 != nil {
		e.add(to.SetField4(*m.Field4))
	}
	e.add(writeUint64s(m.Field5, to.NewField5))
	if m.Field6 != nil {
		to.SetField6(*m.Field6)
	}
	if m.Field7 != nil {
		e.add(to.SetField7(*m.Field7))
	}
	if m.Field9 != nil {
		e.add(to.SetField9(*m.Field9))
	}
	if m.Field12 != nil {
		to.SetField12(*m.Field12)
	}
	if m.Field13 != nil {
		to.SetField13(*m.Field13)
	}
	if m.Field14 != nil {
		to.SetField14(*m.Field14)
	}
	if m.Field16 != nil {
		to.SetField16(*m.Field16)
	}
	if m.Field17 != nil {
		to.SetField17(*m.Field17)
	}
	if m.Field18 != nil {
		e.add(to.SetField18(*m.Field18))
	}
	if m.Field22 != nil {
		to.SetField22(*m.Field22)
	}
	if m.Field23 != nil {
		to.SetField23(*m.Field23)
	}
	if m.Field24 != nil {
		to.SetField24(*m.Field24)
	}
	if m.Field25 != nil {
		to.SetField25(*m.Field25)
	}
	if m.Field29 != nil {
		to.SetField29(*m.Field29)
	}
	if m.Field30 != nil {
		to.SetField30(*m.Field30)
	}
	if m.Field59 != nil {
		to.SetField59(*m.Field59)
	}
	if m.Field60 != nil {
		to.SetField60(*m.Field60)
	}
	if m.Field67 != nil {
		to.SetField67(*m.Field67)
	}
	if m.Field68 != nil {
		to.SetField68(*m.Field68)
	}
	if m.Field78 != nil {
		to.SetField78(*m.Field78)
	}
	if m.Field80 != nil {
		to.SetField80(*m.Field80)
	}
	if m.Field81 != nil {
		to.SetField81(*m.Field81)
	}
	if m.Field100 != nil {
		to.SetField100(*m.Field100)
	}
	if m.Field101 != nil {
		to.SetField101(*m.Field101)
	}
	if m.Field102 != nil {
		e.add(to.SetField102(*m.Field102))
	}
	if m.Field103 != nil {
		e.add(to.SetField103(*m.Field103))
	}
	if m.Field104 != nil {
		to.SetField104(*m.Field104)
	}
	if m.Field128 != nil {
		to.SetField128(*m.Field128)
	}
	if m.Field129 != nil {
		e.add(to.SetField129(*m.Field129))
	}
	if m.Field130 != nil {
		to.SetField130(*m.Field130)
	}
	if m.Field131 != nil {
		to.SetField131(*m.Field131)
	}
	if m.Field150 != nil {
		to.SetField150(*m.Field150)
	}
	if m.Field271 != nil {
		to.SetField271(*m.Field271)
	}
	if m.Field272 != nil {
		to.SetField272(*m.Field272)
	}
	if m.Field280 != nil {
		to.SetField280(*m.Field280)
	}
	return e.first
}

func writeFlat(to schema.Flat, m *messages.Flat) error {
	var e errs
	e.add(to.SetField1(m.Field1))
	to.SetField2(m.Field2)
	to.SetField3(m.Field3)
	e.add(to.SetField4(m.Field4))
	e.add(writeUint64s(m.Field5, to.NewField5))
	to.SetField6(m.Field6)
	e.add(to.SetField7(m.Field7))
	e.add(to.SetField9(m.Field9))
	to.SetField12(m.Field12)
	to.SetField13(m.Field13)
	to.SetField14(m.Field14)
	to.SetField16(m.Field16)
	to.SetField17(m.Field17)
	e.add(to.SetField18(m.Field18))
	to.SetField22(m.Field22)
	to.SetField23(m.Field23)
	to.SetField24(m.Field24)
	to.SetField25(m.Field25)
	to.SetField29(m.Field29)
	to.SetField30(m.Field30)
	to.SetField59(m.Field59)
	to.SetField60(m.Field60)
	to.SetField67(m.Field67)
	to.SetField68(m.Field68)
	to.SetField78(m.Field78)
	to.SetField80(m.Field80)
	to.SetField81(m.Field81)
	to.SetField100(m.Field100)
	to.SetField101(m.Field101)
	e.add(to.SetField102(m.Field102))
	e.add(to.SetField103(m.Field103))
	to.SetField104(m.Field104)
	to.SetField128(m.Field128)
	e.add(to.SetField129(m.Field129))
	to.SetField130(m.Field130)
	to.SetField131(m.Field131)
	to.SetField150(m.Field150)
	to.SetField271(m.Field271)
	to.SetField272(m.Field272)
	to.SetField280(m.Field280)
	return e.first
}

func readBench(m *messages.Bench, from schema.Flat) error {
	var e errs
	m.Field1 = readText(&e, from.Field1)
	m.Field2 = from.Field2()
	m.Field3 = from.Field3()
	if from.HasField4() {
		m.Field4 = pointer(readText(&e, from.Field4))
	}
	m.Field5 = readUint64s(&e, from.Field5)
	m.Field6 = pointer(from.Field6())
	if from.HasField7() {
		m.Field7 = pointer(readText(&e, from.Field7))
	}
	if from.HasField9() {
		m.Field9 = pointer(readText(&e, from.Field9))
	}
	m.Field12 = pointer(from.Field12())
	m.Field13 = pointer(from.Field13())
	m.Field14 = pointer(from.Field14())
	m.Field16 = pointer(from.Field16())
	m.Field17 = pointer(from.Field17())
	if from.HasField18() {
		m.Field18 = pointer(readText(&e, from.Field18))
	}
	m.Field22 = pointer(from.Field22())
	m.Field23 = pointer(from.Field23())
	m.Field24 = pointer(from.Field24())
	m.Field25 = pointer(from.Field25())
	m.Field29 = pointer(from.Field29())
	m.Field30 = pointer(from.Field30())
	m.Field59 = pointer(from.Field59())
	m.Field60 = pointer(from.Field60())
	m.Field67 = pointer(from.Field67())
	m.Field68 = pointer(from.Field68())
	m.Field78 = pointer(from.Field78())
	m.Field80 = pointer(from.Field80())
	m.Field81 = pointer(from.Field81())
	m.Field100 = pointer(from.Field100())
	m.Field101 = pointer(from.Field101())
	if from.HasField102() {
		m.Field102 = pointer(readText(&e, from.Field102))
	}
	if from.HasField103() {
		m.Field103 = pointer(readText(&e, from.Field103))
	}
	m.Field104 = pointer(from.Field104())
	m.Field128 = pointer(from.Field128())
	if from.HasField129() {
		m.Field129 = pointer(readText(&e, from.Field129))
	}
	m.Field130 = pointer(from.Field130())
	m.Field131 = pointer(from.Field131())
	m.Field150 = pointer(from.Field150())
	m.Field271 = pointer(from.Field271())
	m.Field272 = pointer(from.Field272())
	m.Field280 = pointer(from.Field280())
	return e.first
}

func readFlat(m *messages.Flat, from schema.Flat) error {
	var e errs
	m.Field1 = readText(&e, from.Field1)
	m.Field2 = from.Field2()
	m.Field3 = from.Field3()
	m.Field4 = readText(&e, from.Field4)
	m.Field5 = readUint64s(&e, from.Field5)
	m.Field6 = from.Field6()
	m.Field7 = readText(&e, from.Field7)
	m.Field9 = readText(&e, from.Field9)
	m.Field12 = from.Field12()
	m.Field13 = from.Field13()
	m.Field14 = from.Field14()
	m.Field16 = from.Field16()
	m.Field17 = from.Field17()
	m.Field18 = readText(&e, from.Field18)
	m.Field22 = from.Field22()
	m.Field23 = from.Field23()
	m.Field24 = from.Field24()
	m.Field25 = from.Field25()
	m.Field29 = from.Field29()
	m.Field30 = from.Field30()
	m.Field59 = from.Field59()
	m.Field60 = from.Field60()
	m.Field67 = from.Field67()
	m.Field68 = from.Field68()
	m.Field78 = from.Field78()
	m.Field80 = from.Field80()
	m.Field81 = from.Field81()
	m.Field100 = from.Field100()
	m.Field101 = from.Field101()
	m.Field102 = readText(&e, from.Field102)
	m.Field103 = readText(&e, from.Field103)
	m.Field104 = from.Field104()
	m.Field128 = from.Field128()
	m.Field129 = readText(&e, from.Field129)
	m.Field130 = from.Field130()
	m.Field131 = from.Field131()
	m.Field150 = from.Field150()
	m.Field271 = from.Field271()
	m.Field272 = from.Field272()
	m.Field280 = from.Field280()
	return e.first
}

func touchFlat(m schema.Flat) (sum uint64) {
	sum += touchText(m.Field1Bytes)
	sum += uint64(m.Field2())
	sum += uint64(m.Field3())
	sum += touchText(m.Field4Bytes)
	sum += touchUint64s(m.Field5)
	sum += uint64(m.Field6())
	sum += touchText(m.Field7Bytes)
	sum += touchText(m.Field9Bytes)
	sum += touchBool(m.Field12())
	sum += touchBool(m.Field13())
	sum += touchBool(m.Field14())
	sum += uint64(m.Field16())
	sum += touchBool(m.Field17())
	sum += touchText(m.Field18Bytes)
	sum += uint64(m.Field22())
	sum += uint64(m.Field23())
	sum += touchBool(m.Field24())
	sum += uint64(m.Field25())
	sum += uint64(m.Field29())
	sum += touchBool(m.Field30())
	sum += touchBool(m.Field59())
	sum += uint64(m.Field60())
	sum += uint64(m.Field67())
	sum += uint64(m.Field68())
	sum += touchBool(m.Field78())
	sum += touchBool(m.Field80())
	sum += touchBool(m.Field81())
	sum += uint64(m.Field100())
	sum += uint64(m.Field101())
	sum += touchText(m.Field102Bytes)
	sum += touchText(m.Field103Bytes)
	sum += uint64(m.Field104())
	sum += uint64(m.Field128())
	sum += touchText(m.Field129Bytes)
	sum += uint64(m.Field130())
	sum += uint64(m.Field131())
	sum += uint64(m.Field150())
	sum += uint64(m.Field271())
	sum += uint64(m.Field272())
	sum += uint64(m.Field280())
	return sum
}
