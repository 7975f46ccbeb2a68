package machines

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apps "k8s.io/api/apps/v1"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
)

// TestCluster runs the commands in the heads of the manifests against an API server, and
// sees which pods controllers make of them and to which nodes the scheduler gives them. etcd
// and kubectl are in the PATH, and the other programs in one directory. In an empty one these
// commands make them in bin, in some minutes:
//
//	go mod init kube
//	mod=$(go mod download -json k8s.io/kubernetes@v1.34.4 | sed -n 's/.*"GoMod": "\(.*\)",/\1/p')
//	sed -n 's,^\t\(k8s.io/.*\) => .*,replace \1 => \1 v0.34.4,p' "$mod" >>go.mod
//	for p in apiserver controller-manager scheduler; do go get -tool k8s.io/kubernetes/cmd/kube-$p@v1.34.4; done
//	go build -o bin/ -ldflags='-X k8s.io/component-base/version.gitVersion=v1.34.4' tool
//
// In the directory of this file:
//
//	RPCBENCH_KUBE_APISERVER=…/bin/kube-apiserver go test -run=Cluster .
//
// Slow: a Kubernetes starts, and waits before it replaces a pod that failed.
func TestCluster(t *testing.T) {
	apiserver := os.Getenv("RPCBENCH_KUBE_APISERVER")
	if apiserver == "" {
		t.Skip("it takes a kube-apiserver, see the comment")
	}
	p := startControlPlane(t, apiserver)
	for i := range 2 {
		p.run(t, p.dir, fmt.Sprintf("sed s/NAME/node-%d/g <<'END' | kubectl create -f -\n%s\nEND", i, node))
	}
	p.run(t, p.dir, "kubectl version")
	t.Run("refused", func(t *testing.T) { testRefused(t, p) })
	t.Run("pods", func(t *testing.T) { testHeads(t, p, false) })
	t.Run("again", func(t *testing.T) { testAgain(t, p) })
	t.Run("gone", func(t *testing.T) { testGone(t, p) })
	t.Run("nodes", func(t *testing.T) { testHeads(t, p, true) })
}

// node is a node as it tells of itself, with a disk.
const node = `
apiVersion: v1
kind: Node
metadata: {name: NAME, labels: {kubernetes.io/hostname: NAME}}
status:
  allocatable: {cpu: "16", memory: 64Gi, pods: "110"}
  conditions: [{type: Ready, status: "True", reason: Test, message: test}]
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: NAME}
spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], hostPath: {path: /results}}`

// testRefused: the API server looks at what a decoder cannot.
func testRefused(t *testing.T, p *controlPlane) {
	for _, c := range []struct{ file, right, wrong, why string }{
		{"kubernetes.yaml", "endPort: 7064", "endPort: 7000", "must be greater than or equal to"},
		{"kubernetes.yaml", "      rank: others\n  template", "      rank: last\n  template", "does not match template"},
		{"kubernetes.yaml", "automountServiceAccountToken: false", "automount: false", "unknown field"},
		{"kubernetes.yaml", "cpu: \"4\"\n", "cpu: four\n", "quantities must match"},
		{"kubernetes-run.yaml", "restartPolicy: Never\n      host", "restartPolicy: OnFailure\n      host", "only \"Never\" is supported when podFailurePolicy"},
	} {
		broken := strings.Replace(string(read(t, c.file)), c.right, c.wrong, 1)
		require.NoError(t, os.WriteFile(p.dir+"/broken.yaml", []byte(broken), 0o600))
		out, err := p.sh(t.Context(), p.dir, "kubectl create --dry-run=server -f broken.yaml")
		assert.Error(t, err, c.wrong)
		assert.Contains(t, out, c.why)
	}
}

// testHeads runs the commands of the heads in a namespace of its own, without those that
// wait for a pod to run. After each it waits until the scheduler has given all pods to nodes.
func testHeads(t *testing.T, p *controlPlane, onNodes bool) {
	namespace, dir := fmt.Sprint("on-nodes-", onNodes), copies(t)
	p.run(t, p.dir, "kubectl create namespace "+namespace)
	p.use(t, namespace)
	if onNodes {
		p.run(t, dir, heads(t, `^sed `)[0])
	} else {
		p.run(t, dir, "kubectl label namespace "+namespace+" pod-security.kubernetes.io/enforce=baseline")
	}
	for _, command := range heads(t, `^kubectl (create|apply) |^job=`) {
		t.Logf("%s\n%s", command, p.run(t, dir, command))
		p.await(t, placed)
	}
	p.await(t, "kubectl get pvc rpcbench-results -o jsonpath='{.status.phase}' | grep -x Bound")
	assertPods(t, podsOf(t, p, "app=rpcbench"), onNodes)
}

// placed succeeds if all pods that there must be have a node.
const placed = `
set -e
sets=$(kubectl get statefulsets -o jsonpath='{range .items[*]}{.spec.replicas}={.status.currentReplicas} {end}')
jobs=$(kubectl get jobs -o jsonpath='{range .items[*]}1={.status.active} {end}')
for made in $sets $jobs; do test "${made%%=*}" = "${made#*=}"; done
kubectl get pods -o jsonpath='{range .items[*]}{.metadata.name}={.spec.nodeName}{"\n"}{end}' >pods
! grep '=$' pods`

func podsOf(t *testing.T, p *controlPlane, selector string) []core.Pod {
	var pods core.PodList
	require.NoError(t, json.Unmarshal([]byte(p.run(t, p.dir, "kubectl get pods -o json -l "+selector)), &pods))
	return pods.Items
}

// testAgain has pods end, and others take their place with the same rank. That a node was
// drained does not count as a failure of the Job.
func testAgain(t *testing.T, p *controlPlane) {
	const uid = "kubectl get pod rpcbench-ranks-2 -o jsonpath='{.metadata.uid}'"
	before := p.run(t, p.dir, uid)
	p.run(t, p.dir, "kubectl delete pod rpcbench-ranks-2 --force --grace-period=0")
	p.await(t, fmt.Sprintf(`now=$(%s) && test "$now" != %s`, uid, before))
	for i, c := range []struct{ conditions, failed string }{
		{`{"type":"DisruptionTarget","status":"True"}`, ""},
		{"", "1"},
	} {
		pods := podsOf(t, p, "rank=first,last!=yes")
		require.Len(t, pods, 1)
		name := pods[0].Name
		p.run(t, p.dir, "kubectl label pod "+name+" last=yes")
		p.run(t, p.dir, "kubectl patch pod "+name+` --subresource=status -p '{"status":{"phase":"Failed","conditions":[`+c.conditions+`]}}'`)
		p.await(t, fmt.Sprintf("kubectl get pods -l rank=first -o name | grep -c . | grep -x %d", i+2))
		p.await(t, placed)
		assert.Equal(t, c.failed, p.run(t, p.dir, "kubectl get jobs -o jsonpath='{.items[0].status.failed}'"))
	}
}

// testGone: what the head says leaves the disk alone.
func testGone(t *testing.T, p *controlPlane) {
	p.run(t, ".", heads(t, `^kubectl delete -f`)[0])
	left := p.run(t, p.dir, "kubectl get service,statefulset,networkpolicy,pvc -o name")
	assert.Equal(t, "persistentvolumeclaim/rpcbench-results\n", left)
}

// copies returns a directory with the manifests, and a secret such as rpcbench.test makes.
func copies(t *testing.T) (dir string) {
	dir = t.TempDir()
	require.NoError(t, os.Mkdir(dir+"/secret", 0o700))
	for file, text := range map[string][]byte{
		"kubernetes.yaml": read(t, "kubernetes.yaml"), "kubernetes-run.yaml": read(t, "kubernetes-run.yaml"),
		"secret/servers": []byte("token sha256:x key"), "secret/clients": []byte("token sha256:x"),
	} {
		require.NoError(t, os.WriteFile(dir+"/"+file, text, 0o600))
	}
	return dir
}

// heads are commands in the heads of the manifests.
func heads(t *testing.T, pattern string) (commands []string) {
	text := string(read(t, "kubernetes.yaml")) + string(read(t, "kubernetes-run.yaml"))
	for _, m := range regexp.MustCompile(`(?m)^#   (.*)$`).FindAllStringSubmatch(text, -1) {
		if regexp.MustCompile(pattern).MatchString(m[1]) {
			commands = append(commands, m[1])
		}
	}
	require.NotEmpty(t, commands)
	return commands
}

// assertPods: ranks have their numbers, and the servers have a node without ranks.
func assertPods(t *testing.T, pods []core.Pod, onNodes bool) {
	nodes, ranks := map[string]string{}, []string{}
	for _, pod := range pods {
		part, used := nodes[pod.Spec.NodeName]
		assert.True(t, !used || part == "ranks" && pod.Labels["part"] == part, pod.Name)
		nodes[pod.Spec.NodeName] = pod.Labels["part"]
		assert.Equal(t, core.PodQOSGuaranteed, pod.Status.QOSClass, pod.Name)
		assert.Equal(t, onNodes, pod.Spec.HostNetwork, pod.Name)
		ranks = append(ranks, rankOf(pod))
	}
	slices.Sort(ranks)
	assert.Equal(t, []string{"", "0", "1", "2", "3"}, ranks)
}

// rankOf is the rank that a pod's labels make it, or "" for servers.
func rankOf(pod core.Pod) string {
	switch {
	case pod.Labels["part"] == "servers":
		return ""
	case pod.Labels[batch.JobNameLabel] == pod.OwnerReferences[0].Name:
		return "0"
	}
	return pod.Labels[apps.PodIndexLabel]
}
