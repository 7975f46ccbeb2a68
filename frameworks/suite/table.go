package suite

import (
	"cmp"
	"fmt"
	"io"
	"text/tabwriter"
)

// printVariants prints what is measured and how both sides of it are set up.
func printVariants(w io.Writer, variants []Variant) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "framework\ttransport\tcodec\tprofile\tpool\tconnections\tcalls\tlargest\tabout")
	for _, v := range variants {
		largest := "no limit known"
		if v.MaxMessage > 0 {
			largest = formatSize(v.MaxMessage)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", v.Framework, v.Transport, v.Codec,
			cmp.Or(v.Profile, "default"), cmp.Or(v.Pool, "-"), v.Sharing, v.callNames(), largest, v.About)
	}
	t.Flush()
}
