// Package example is to be copied: it measures serializers with a message of its own.
package example

import (
	"fmt"
	"strings"
	"time"
)

// Order is the message: a struct of a program, as it is.
type Order struct {
	ID       int64             `json:"id"`
	Customer string            `json:"customer"`
	Note     *string           `json:"note,omitempty"`
	Items    []Item            `json:"items"`
	Labels   map[string]string `json:"labels,omitempty"`
	Placed   time.Time         `json:"placed"`
}

// Item is a line of an Order.
type Item struct {
	SKU    string  `json:"sku"`
	Amount int     `json:"amount"`
	Price  float64 `json:"price"`
}

// orders stand for real ones, which a program would read from a file.
func orders() (list []*Order) {
	for i := range 20 {
		o := &Order{ID: 1<<40 + int64(i), Customer: fmt.Sprintf("customer %d", i*i), Placed: time.Unix(1_700_000_000+int64(i), 0).UTC()}
		for j := range i + 1 {
			o.Items = append(o.Items, Item{SKU: fmt.Sprintf("sku-%d", i*j), Amount: j + 1, Price: float64(i) + 0.99})
		}
		if i%2 == 1 {
			note := strings.Repeat("gift ", i)
			o.Note, o.Labels = &note, map[string]string{"lane": fmt.Sprint(i)}
		}
		list = append(list, o)
	}
	return list
}
