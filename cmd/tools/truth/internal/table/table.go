package table
import ("fmt";"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/record")
func Text(all []record.Record) (s string) { for _, r := range all { s+= fmt.Sprintf("%-34s truth %v floor %v\n%34s said  %v ok %d failed %d of %d dropped %d asked %d made %d\n%34s late %v cpu %v stood %v %s\n", r.Cell, r.Truth, r.Floor,"", r.Said, r.Said.OK,r.Said.Failed,r.Failed,r.Said.Dropped,r.Asked,r.Made,"",r.Lateness,r.CPU,r.Stood,r.Error) }; return }
