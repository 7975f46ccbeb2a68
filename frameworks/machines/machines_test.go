// Package machines has manifests that run the benchmarks on many machines. Its tests hold
// them to the API of Kubernetes and to the flags of the benchmarks.
package machines

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
)

// manifests are those with commands of the benchmarks.
func manifests() []string { return []string{"kubernetes.yaml", "job.sbatch", "array.sbatch"} }

// decode returns the documents of a manifest. A field that the API does not have is an
// error, as is one that is there twice.
func decode(text []byte) (objects []runtime.Object, err error) {
	scheme := runtime.NewScheme()
	if err := core.AddToScheme(scheme); err != nil {
		return nil, err
	}
	if err := batch.AddToScheme(scheme); err != nil {
		return nil, err
	}
	decoder := serializer.NewCodecFactory(scheme, serializer.EnableStrict).UniversalDeserializer()
	for _, document := range bytes.Split(text, []byte("\n---\n")) {
		object, _, err := decoder.Decode(document, nil, nil)
		if err != nil {
			return nil, err
		}
		objects = append(objects, object)
	}
	return objects, nil
}

// cluster is what kubernetes.yaml has.
type cluster struct {
	service *core.Service
	servers *core.Pod
	ranks   *batch.Job
}

func readCluster(t *testing.T) (c cluster) {
	objects, err := decode(read(t, "kubernetes.yaml"))
	require.NoError(t, err)
	require.Len(t, objects, 3)
	c.service, c.servers, c.ranks = objects[0].(*core.Service), objects[1].(*core.Pod), objects[2].(*batch.Job)
	return c
}

func read(t *testing.T, file string) []byte {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	return text
}

// TestFields: a misspelt field is noticed, in each document.
func TestFields(t *testing.T) {
	for _, c := range []struct{ file, right, wrong string }{
		{"kubernetes.yaml", "clusterIP:", "clusterIp:"},
		{"kubernetes.yaml", "fsGroup:", "fsgroup:"},
		{"kubernetes.yaml", "backoffLimit:", "backOffLimit:"},
		{"kubernetes.yaml", "parallelism: 4", "parallelism: four"},
		{"kubernetes.yaml", "kind: Job", "kind: Jobs"},
		{"kubernetes.yaml", "completions: 4", "completions: 4\n  completions: 4"},
		{"../../loadgen/cmd/load/job.yaml", "activeDeadlineSeconds:", "activeDeadline:"},
	} {
		text := read(t, c.file)
		_, err := decode(text)
		require.NoError(t, err, c.file)
		broken := bytes.Replace(text, []byte(c.right), []byte(c.wrong), 1)
		require.NotEqual(t, text, broken, c.right)
		_, err = decode(broken)
		assert.Error(t, err, c.wrong)
	}
}

// TestRanksAreCounted alike in the Job and in its command, and in that of load.
func TestRanksAreCounted(t *testing.T) {
	load, err := decode(read(t, "../../loadgen/cmd/load/job.yaml"))
	require.NoError(t, err)
	for _, job := range []*batch.Job{readCluster(t).ranks, load[0].(*batch.Job)} {
		flags := flagsOf(job.Spec.Template.Spec.Containers[0].Args)
		assert.Equal(t, "4", flags["ranks"])
		assert.EqualValues(t, 4, *job.Spec.Completions)
		assert.EqualValues(t, 4, *job.Spec.Parallelism)
		assert.Equal(t, batch.IndexedCompletion, *job.Spec.CompletionMode)
		assert.Zero(t, *job.Spec.BackoffLimit)
		assert.Equal(t, core.RestartPolicyNever, job.Spec.Template.Spec.RestartPolicy)
		assert.Equal(t, "$(RUN)", flags["run-name"])
		assert.Equal(t, "RUN", job.Spec.Template.Spec.Containers[0].Env[0].Name)
	}
}

// flagsOf are the values of flags by their names.
func flagsOf(args []string) map[string]string {
	flags := map[string]string{}
	for _, arg := range args {
		name, value, _ := strings.Cut(strings.TrimPrefix(arg, "-"), "=")
		flags[name] = value
	}
	return flags
}

// TestRanksFindTheServers by the name of a Service that is the address of the pod.
func TestRanksFindTheServers(t *testing.T) {
	c := readCluster(t)
	ranks, servers := flagsOf(c.ranks.Spec.Template.Spec.Containers[0].Args), flagsOf(c.servers.Spec.Containers[0].Args)
	assert.Equal(t, c.service.Name+servers["listen"], ranks["host"])
	assert.Equal(t, core.ClusterIPNone, c.service.Spec.ClusterIP)
	assert.Empty(t, c.service.Spec.Ports)
	for key, value := range c.service.Spec.Selector {
		assert.Equal(t, value, c.servers.Labels[key], key)
	}
	assert.NotEqual(t, c.servers.Labels["part"], c.ranks.Spec.Template.Labels["part"])
	assert.Equal(t, c.servers.Spec.Containers[0].Image, c.ranks.Spec.Template.Spec.Containers[0].Image)
}

// TestTokens can be read by the group of a pod that is no root, and by nobody else.
func TestTokens(t *testing.T) {
	c := readCluster(t)
	for _, pod := range []core.PodSpec{c.servers.Spec, c.ranks.Spec.Template.Spec} {
		secret, mount := pod.Volumes[0], pod.Containers[0].VolumeMounts[0]
		assert.EqualValues(t, 0o440, *secret.Secret.DefaultMode)
		assert.Equal(t, *pod.SecurityContext.RunAsGroup, *pod.SecurityContext.FSGroup)
		assert.True(t, *pod.SecurityContext.RunAsNonRoot)
		assert.Equal(t, secret.Name, mount.Name)
		assert.Equal(t, mount.MountPath+"/token", flagsOf(pod.Containers[0].Args)["token-file"])
		assert.Contains(t, string(read(t, "kubernetes.yaml")), "create secret generic "+secret.Secret.SecretName+" --from-literal=token=")
	}
}

// TestContainerfile needs nothing that the documented command does not make, and no network.
func TestContainerfile(t *testing.T) {
	text := string(read(t, "Containerfile"))
	var lines []string
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "#") {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	assert.Equal(t, []string{
		"FROM scratch", "COPY rpcbench.test /rpcbench.test", "USER 65532:65532", `ENTRYPOINT ["/rpcbench.test"]`,
	}, lines)
	assert.Contains(t, text, "CGO_ENABLED=0 go test -c -o frameworks/machines/rpcbench.test .\n", "a static binary")
	assert.EqualValues(t, 65532, *readCluster(t).servers.Spec.SecurityContext.RunAsUser)
}

// TestFlags: the benchmarks have every flag that a manifest gives them.
func TestFlags(t *testing.T) {
	if testing.Short() {
		t.Skip("it links the benchmarks")
	}
	binary, err := ofGRPC()
	require.NoError(t, err)
	help, err := exec.CommandContext(t.Context(), binary, "-h").CombinedOutput()
	require.NoError(t, err, "%s", help)
	known := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^  -(\S+)`).FindAllSubmatch(help, -1) {
		known[string(m[1])] = true
	}
	for _, file := range manifests() {
		given := flagsIn(string(read(t, file)))
		assert.Greater(t, len(given), 4, file)
		for _, name := range given {
			assert.True(t, known[name] || flag.Lookup(name) != nil, "%s: there is no flag -%s", file, name)
		}
	}
}

// flagsIn are the names of flags of the benchmarks in a manifest. Those of other programs
// begin with two dashes, have one letter, or are in a line of openssl or grep.
func flagsIn(text string) (names []string) {
	text = regexp.MustCompile(`(?m)^.*\b(openssl|grep) .*$`).ReplaceAllString(text, "")
	for _, m := range regexp.MustCompile(`(?m)(?:^|\s)-([a-z][a-z.-]*[a-z])(?:[=.\s]|$)`).FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	return names
}

func TestFlagsIn(t *testing.T) {
	assert.Equal(t, []string{"test.bench", "serve", "rank", "gather"},
		flagsIn("# x --wait -l a -test.bench=Echo\n- -serve\n\t-rank=\"$((A - B))\"\nrand $(openssl rand -hex 16)\nthe time of -gather.\nuntil grep -qs x"))
}

// room is a directory that all tests share, made by TestMain.
const room = "RPCBENCH_TEST_ROOM"

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "machines-test-")
	if err == nil {
		err = os.Setenv(room, dir)
	}
	if err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// ofGRPC is the binary of grpc alone, linked once and in a third of the time. It has the
// flags of that of all frameworks: both are package suite's.
var ofGRPC = sync.OnceValues(func() (string, error) { return build(os.Getenv(room), "./frameworks/grpc") })

// build makes rpcbench.test of a package in dir, and returns where it is.
func build(dir, pkg string) (file string, err error) {
	file = filepath.Join(dir, "rpcbench.test")
	make := exec.Command("go", "test", "-vet=off", "-c", "-o", file, pkg)
	make.Dir, make.Env = "../..", append(os.Environ(), "CGO_ENABLED=0")
	out, err := make.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, out)
	}
	return file, err
}
