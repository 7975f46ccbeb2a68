package machines

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apps "k8s.io/api/apps/v1"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
)

// decode returns the documents of a manifest. A field that the API does not have is an
// error, as is one that is there twice.
func decode(text []byte) (objects []runtime.Object, err error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{core.AddToScheme, apps.AddToScheme, batch.AddToScheme, networking.AddToScheme} {
		if err := add(scheme); err != nil {
			return nil, err
		}
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

// cluster is what kubernetes.yaml and kubernetes-run.yaml have.
type cluster struct {
	service         *core.Service
	servers, others *apps.StatefulSet // others are the ranks but rank 0
	claim           *core.PersistentVolumeClaim
	toServers       *networking.NetworkPolicy
	toRanks         *networking.NetworkPolicy
	first           *batch.Job // rank 0
	results         *core.Pod
}

func readCluster(t *testing.T) cluster {
	return decodeCluster(t, read(t, "kubernetes.yaml"), read(t, "kubernetes-run.yaml"))
}

func decodeCluster(t *testing.T, texts ...[]byte) cluster {
	objects, err := decode(bytes.Join(texts, []byte("\n---\n")))
	require.NoError(t, err)
	require.Len(t, objects, 8)
	return cluster{
		objects[0].(*core.Service), objects[1].(*apps.StatefulSet), objects[2].(*apps.StatefulSet), objects[3].(*core.PersistentVolumeClaim),
		objects[4].(*networking.NetworkPolicy), objects[5].(*networking.NetworkPolicy), objects[6].(*batch.Job), objects[7].(*core.Pod),
	}
}

// templates returns what the pods of servers, of rank 0 and of the other ranks are made from.
func (c cluster) templates() []*core.PodTemplateSpec {
	return []*core.PodTemplateSpec{&c.servers.Spec.Template, &c.first.Spec.Template, &c.others.Spec.Template}
}

// argsOf are the arguments of a pod's program.
func argsOf(template *core.PodTemplateSpec) []string { return template.Spec.Containers[0].Args }

// TestFields: a misspelt field is noticed, in each document.
func TestFields(t *testing.T) {
	for _, c := range []struct{ file, right, wrong string }{
		{"kubernetes.yaml", "clusterIP:", "clusterIp:"},
		{"kubernetes.yaml", "fsGroup:", "fsgroup:"},
		{"kubernetes.yaml", "ordinals:", "ordinal:"},
		{"kubernetes.yaml", "replicas: 3", "replicas: three"},
		{"kubernetes.yaml", "replicas: 3", "replicas: 3\n  replicas: 3"},
		{"kubernetes.yaml", "accessModes:", "accessMode:"},
		{"kubernetes.yaml", "endPort:", "endport:"},
		{"kubernetes.yaml", "kind: NetworkPolicy", "kind: NetworkPolicies"},
		{"kubernetes-run.yaml", "backoffLimit:", "backOffLimit:"},
		{"kubernetes-run.yaml", "onPodConditions:", "onPodCondition:"},
		{"kubernetes-run.yaml", "kind: Job", "kind: Jobs"},
		{"kubernetes-run.yaml", "kind: Pod", "kind: Pods"},
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

// TestRanksAreCounted: rank 0 and the others are as many as each is told, with one name.
func TestRanksAreCounted(t *testing.T) {
	c := readCluster(t)
	first, others := flagsOf(argsOf(&c.first.Spec.Template)), flagsOf(argsOf(&c.others.Spec.Template))
	assert.EqualValues(t, 1, c.others.Spec.Ordinals.Start)
	assert.Equal(t, fmt.Sprint(*c.others.Spec.Replicas+1), others["ranks"])
	assert.Equal(t, "0", first["rank"])
	assert.Equal(t, "$(RANK)", others["rank"])
	assert.Contains(t, others, "stay")
	for _, name := range []string{"ranks", "run-name", "gather", "host", "token-file"} {
		assert.NotEmpty(t, first[name], name)
		assert.Equal(t, first[name], others[name], name)
	}
}

// TestLabelsOfPods become variables: a rank's index, and the name of a Job.
func TestLabelsOfPods(t *testing.T) {
	c := readCluster(t)
	for _, v := range []struct {
		template    *core.PodTemplateSpec
		name, label string
	}{
		{&c.others.Spec.Template, "RANK", apps.PodIndexLabel},
		{&c.first.Spec.Template, "JOB", batch.JobNameLabel},
	} {
		pod := v.template.Spec.Containers[0]
		require.Len(t, pod.Env, 1)
		assert.Equal(t, v.name, pod.Env[0].Name)
		assert.Equal(t, "metadata.labels['"+v.label+"']", pod.Env[0].ValueFrom.FieldRef.FieldPath)
		assert.Contains(t, strings.Join(pod.Args, " "), "$("+v.name+")")
	}
}

// TestRanksOfLoad are counted alike in its Job and in its command.
func TestRanksOfLoad(t *testing.T) {
	objects, err := decode(read(t, "../../loadgen/cmd/load/job.yaml"))
	require.NoError(t, err)
	job := objects[0].(*batch.Job)
	flags := flagsOf(argsOf(&job.Spec.Template))
	assert.Equal(t, "4", flags["ranks"])
	assert.EqualValues(t, 4, *job.Spec.Completions)
	assert.EqualValues(t, 4, *job.Spec.Parallelism)
	assert.Equal(t, batch.IndexedCompletion, *job.Spec.CompletionMode)
	assert.Zero(t, *job.Spec.BackoffLimit)
	assert.Equal(t, core.RestartPolicyNever, job.Spec.Template.Spec.RestartPolicy)
	assert.Equal(t, "$(RUN)", flags["run-name"])
	assert.Equal(t, "RUN", job.Spec.Template.Spec.Containers[0].Env[0].Name)
}

// TestRanksFindTheServers by the names of all their pods.
func TestRanksFindTheServers(t *testing.T) {
	c := readCluster(t)
	assert.Equal(t, core.ClusterIPNone, c.service.Spec.ClusterIP)
	assert.Empty(t, c.service.Spec.Ports)
	assert.Equal(t, c.service.Name, c.servers.Spec.ServiceName)
	var hosts []string
	for i := range *c.servers.Spec.Replicas {
		hosts = append(hosts, fmt.Sprintf("%s-%d.%s%s", c.servers.Name, i, c.service.Name, flagsOf(argsOf(&c.servers.Spec.Template))["listen"]))
	}
	assert.Equal(t, strings.Join(hosts, ","), flagsOf(argsOf(&c.first.Spec.Template))["host"])
	for _, template := range c.templates() {
		assert.Equal(t, c.servers.Spec.Template.Spec.Containers[0].Image, template.Spec.Containers[0].Image)
	}
}

// TestSelectors select servers, ranks, or the ranks but rank 0, and no other pods.
func TestSelectors(t *testing.T) {
	c := readCluster(t)
	away := c.servers.Spec.Template.Spec.Affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution[0]
	for _, s := range []struct {
		about                  string
		selector               *meta.LabelSelector
		servers, first, others bool
	}{
		{"the service", &meta.LabelSelector{MatchLabels: c.service.Spec.Selector}, true, false, false},
		{"the set of servers", c.servers.Spec.Selector, true, false, false},
		{"the set of ranks", c.others.Spec.Selector, false, false, true},
		{"what servers keep off", away.LabelSelector, true, true, true},
		{"what spreads", c.others.Spec.Template.Spec.TopologySpreadConstraints[0].LabelSelector, false, true, true},
		{"what spreads rank 0", c.first.Spec.Template.Spec.TopologySpreadConstraints[0].LabelSelector, false, true, true},
		{"the policy of servers", &c.toServers.Spec.PodSelector, true, false, false},
		{"whom it lets in", c.toServers.Spec.Ingress[0].From[0].PodSelector, false, true, true},
		{"the policy of ranks", &c.toRanks.Spec.PodSelector, false, true, true},
	} {
		selector, err := meta.LabelSelectorAsSelector(s.selector)
		require.NoError(t, err)
		var selected []bool
		for _, template := range c.templates() {
			selected = append(selected, selector.Matches(labels.Set(template.Labels)))
		}
		assert.Equal(t, []bool{s.servers, s.first, s.others}, selected, s.about)
		assert.False(t, selector.Matches(labels.Set(c.results.Labels)), s.about)
	}
}

// TestPorts that a policy opens are those of the flags.
func TestPorts(t *testing.T) {
	c := readCluster(t)
	var open []string
	for _, p := range c.toServers.Spec.Ingress[0].Ports {
		protocol := core.ProtocolTCP
		if p.Protocol != nil {
			protocol = *p.Protocol
		}
		text := string(protocol) + " " + p.Port.String()
		if p.EndPort != nil {
			text += fmt.Sprint("-", *p.EndPort)
		}
		open = append(open, text)
	}
	flags := flagsOf(argsOf(&c.servers.Spec.Template))
	assert.Equal(t, []string{"TCP " + strings.TrimPrefix(flags["listen"], ":"), "TCP " + flags["ports"], "UDP " + flags["ports"]}, open)
	assert.Equal(t, flags["listen"], fmt.Sprint(":", c.servers.Spec.Template.Spec.Containers[0].Ports[0].ContainerPort))
	assert.Empty(t, c.toRanks.Spec.Ingress)
	for _, policy := range []*networking.NetworkPolicy{c.toServers, c.toRanks} {
		assert.Equal(t, []networking.PolicyType{networking.PolicyTypeIngress}, policy.Spec.PolicyTypes)
	}
}

// TestSecret: servers and ranks have an item each of one secret, which the group of a pod
// that is no root can read, and nobody else.
func TestSecret(t *testing.T) {
	c := readCluster(t)
	for i, item := range []string{"servers", "clients", "clients"} {
		pod := c.templates()[i].Spec
		secret, mount := pod.Volumes[0], pod.Containers[0].VolumeMounts[0]
		assert.Equal(t, []core.KeyToPath{{Key: item, Path: item}}, secret.Secret.Items)
		assert.EqualValues(t, 0o440, *secret.Secret.DefaultMode)
		assert.Equal(t, *pod.SecurityContext.RunAsGroup, *pod.SecurityContext.FSGroup)
		assert.True(t, *pod.SecurityContext.RunAsNonRoot)
		assert.EqualValues(t, 65532, *pod.SecurityContext.RunAsUser, "as in Containerfile")
		assert.Equal(t, secret.Name, mount.Name)
		assert.Equal(t, mount.MountPath+"/"+item, flagsOf(pod.Containers[0].Args)["token-file"])
		assert.Regexp(t, "create secret generic "+secret.Secret.SecretName+" .*--from-file=secret/"+item, string(read(t, "kubernetes.yaml")))
	}
}

// TestResults are on the disk of rank 0, in a file of its Job, and a pod hands them out.
func TestResults(t *testing.T) {
	c := readCluster(t)
	for _, pod := range []core.PodSpec{c.first.Spec.Template.Spec, c.results.Spec} {
		volume, mounts := pod.Volumes[len(pod.Volumes)-1], pod.Containers[0].VolumeMounts
		assert.Equal(t, c.claim.Name, volume.PersistentVolumeClaim.ClaimName)
		assert.Equal(t, volume.Name, mounts[len(mounts)-1].Name)
		assert.Equal(t, "/results", mounts[len(mounts)-1].MountPath)
		assert.Equal(t, c.first.Spec.Template.Spec.SecurityContext, pod.SecurityContext)
	}
	files := regexp.MustCompile(`(?m)- (\S+)=/rpcbench/\S+\.test$`).FindAllStringSubmatch(string(read(t, "kubernetes-run.yaml")), -1)
	require.Len(t, files, 3)
	for _, file := range files {
		assert.Equal(t, "/results/$(JOB).txt", file[1])
	}
}

// TestCPUs are whole, and requests are limits, so that a kubelet may give a container CPUs
// of its own.
func TestCPUs(t *testing.T) {
	for _, template := range readCluster(t).templates() {
		require.Len(t, template.Spec.Containers, 1)
		has := template.Spec.Containers[0].Resources
		assert.Equal(t, has.Limits, has.Requests)
		assert.Zero(t, has.Limits.Cpu().MilliValue()%1000)
		assert.NotZero(t, has.Limits.Memory().Value())
	}
}

// TestNetworks: one word changes from the pods' network to that of the nodes, as the head
// says. A pod in it finds names of the cluster by its policy of DNS alone.
func TestNetworks(t *testing.T) {
	var texts [][]byte
	assert.Contains(t, string(read(t, "kubernetes.yaml")), "sed -i 's/hostNetwork: false/hostNetwork: true/' kubernetes.yaml kubernetes-run.yaml\n")
	for _, file := range []string{"kubernetes.yaml", "kubernetes-run.yaml"} {
		texts = append(texts, bytes.ReplaceAll(read(t, file), []byte("hostNetwork: false"), []byte("hostNetwork: true")))
	}
	pods, nodes := readCluster(t), decodeCluster(t, texts...)
	for i, template := range nodes.templates() {
		assert.True(t, template.Spec.HostNetwork)
		assert.Equal(t, core.DNSClusterFirstWithHostNet, template.Spec.DNSPolicy)
		template.Spec.HostNetwork = false
		assert.Equal(t, pods.templates()[i], template)
	}
}

// TestRankStartsAgain: another pod takes the place of one that failed, and goes on.
func TestRankStartsAgain(t *testing.T) {
	job := readCluster(t).first.Spec
	assert.Positive(t, *job.BackoffLimit)
	assert.Equal(t, core.RestartPolicyNever, job.Template.Spec.RestartPolicy, "podFailurePolicy takes no other")
	assert.Equal(t, batch.PodFailurePolicyActionIgnore, job.PodFailurePolicy.Rules[0].Action)
	assert.Equal(t, core.DisruptionTarget, job.PodFailurePolicy.Rules[0].OnPodConditions[0].Type)
	assert.Contains(t, argsOf(&job.Template), "-continue")
}
