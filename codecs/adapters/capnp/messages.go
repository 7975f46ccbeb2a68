package capnp

import (
	"github.com/rpcbench/rpcbench/codecs/adapters/capnp/schema"
	"github.com/rpcbench/rpcbench/codecs/suite/messages"
)

func writeSmall(to schema.Small, m *messages.Small) error {
	to.SetId(m.ID)
	to.SetActive(m.Active)
	to.SetScore(m.Score)
	return to.SetName(m.Name)
}

func readSmall(m *messages.Small, from schema.Small) (err error) {
	m.ID, m.Active, m.Score = from.Id(), from.Active(), from.Score()
	m.Name, err = from.Name()
	return err
}

func touchSmall(m schema.Small) uint64 {
	return uint64(m.Id()) + touchText(m.NameBytes) + touchBool(m.Active()) + uint64(m.Score())
}

func writeNext(to schema.Next, m *messages.Next) error {
	var e errs
	to.SetId(m.ID)
	to.SetActive(m.Active)
	to.SetScore(m.Score)
	e.add(to.SetName(m.Name))
	e.add(to.SetNote(m.Note))
	e.add(writeUint64s(m.Marks, to.NewMarks))
	label, err := to.NewLabel()
	e.add(err)
	e.add(writeLabel(label, m.Label))
	return e.first
}

func readNext(m *messages.Next, from schema.Next) error {
	var e errs
	m.ID, m.Active, m.Score = from.Id(), from.Active(), from.Score()
	m.Name, m.Note = readText(&e, from.Name), readText(&e, from.Note)
	m.Marks = readUint64s(&e, from.Marks)
	label, err := from.Label()
	e.add(err)
	m.Label = readLabel(&e, label)
	return e.first
}

func touchNext(m schema.Next) uint64 {
	label, _ := m.Label()
	return uint64(m.Id()) + touchText(m.NameBytes) + touchBool(m.Active()) + uint64(m.Score()) +
		touchText(m.NoteBytes) + touchUint64s(m.Marks) + touchLabel(label)
}

func writeLarge(to schema.Large, m *messages.Large) error {
	var e errs
	e.add(to.SetId(m.ID))
	to.SetTs(m.TS)
	items, err := to.NewItems(int32(len(m.Items)))
	e.add(err)
	for i := range m.Items {
		e.add(writeItem(items.At(i), &m.Items[i]))
	}
	return e.first
}

func readLarge(m *messages.Large, from schema.Large) error {
	var e errs
	m.ID, m.TS = readText(&e, from.Id), from.Ts()
	items, err := from.Items()
	e.add(err)
	for i := range items.Len() {
		m.Items = append(m.Items, readItem(&e, items.At(i)))
	}
	return e.first
}

func touchLarge(m schema.Large) uint64 {
	sum := touchText(m.IdBytes) + uint64(m.Ts())
	items, _ := m.Items()
	for i := range items.Len() {
		sum += touchItem(items.At(i))
	}
	return sum
}

func writeItem(to schema.Item, m *messages.Item) error {
	var e errs
	to.SetId(m.ID)
	to.SetPrice(m.Price)
	to.SetFlags(m.Flags)
	to.SetActive(m.Active)
	e.add(to.SetName(m.Name))
	e.add(to.SetBlob(m.Blob))
	e.add(writeUint64s(m.Vals, to.NewVals))
	labels, err := to.NewLabels(int32(len(m.Labels)))
	e.add(err)
	for i, l := range m.Labels {
		e.add(writeLabel(labels.At(i), l))
	}
	return e.first
}

func readItem(e *errs, from schema.Item) (m messages.Item) {
	m.ID, m.Price, m.Flags, m.Active = from.Id(), from.Price(), from.Flags(), from.Active()
	m.Name = readText(e, from.Name)
	m.Vals = readUint64s(e, from.Vals)
	blob, err := from.Blob()
	e.add(err)
	m.Blob = append(m.Blob, blob...)
	labels, err := from.Labels()
	e.add(err)
	for i := range labels.Len() {
		m.Labels = append(m.Labels, readLabel(e, labels.At(i)))
	}
	return m
}

func touchItem(m schema.Item) uint64 {
	sum := uint64(m.Id()) + touchText(m.NameBytes) + uint64(m.Price()) + uint64(m.Flags()) + touchBool(m.Active()) +
		touchUint64s(m.Vals) + touchText(m.Blob)
	labels, _ := m.Labels()
	for i := range labels.Len() {
		sum += touchLabel(labels.At(i))
	}
	return sum
}

func writeLabel(to schema.Label, l messages.Label) error {
	var e errs
	e.add(to.SetKey(l.Key))
	e.add(to.SetVal(l.Val))
	return e.first
}

func readLabel(e *errs, from schema.Label) messages.Label {
	return messages.Label{Key: readText(e, from.Key), Val: readText(e, from.Val)}
}

func touchLabel(l schema.Label) uint64 { return touchText(l.KeyBytes) + touchText(l.ValBytes) }
