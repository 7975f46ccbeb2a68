package machines

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/machines/internal/ports"
)

// controlPlane is a Kubernetes without nodes, which listens on loopback until the test ends.
// What runs pods is not there, so that no pod runs.
type controlPlane struct {
	dir      string
	programs string // the directory of its programs
	url      string
}

const kubeconfig = `apiVersion: v1
kind: Config
current-context: test
clusters: [{name: test, cluster: {server: %q, certificate-authority: %q}}]
users: [{name: test, user: {token: test}}]
contexts: [{name: test, context: {cluster: test, user: test, namespace: %q}}]
`

// startControlPlane starts etcd, of the PATH, and the programs beside a kube-apiserver.
func startControlPlane(t *testing.T, apiserver string) *controlPlane {
	p := &controlPlane{dir: t.TempDir(), programs: filepath.Dir(apiserver)}
	client, peer, secure := freeAddr(t), freeAddr(t), freeAddr(t)
	p.url = "https://" + secure
	p.writeKey(t)
	require.NoError(t, os.WriteFile(p.dir+"/tokens", []byte("test,test,test,system:masters\n"), 0o600))
	p.start(t, "etcd", "--data-dir="+p.dir+"/etcd", "--listen-client-urls=http://"+client, "--advertise-client-urls=http://"+client,
		"--listen-peer-urls=http://"+peer, "--initial-advertise-peer-urls=http://"+peer, "--initial-cluster=default=http://"+peer)
	// Admission would wait for controllers that are not there: of accounts, and of nodes.
	p.start(t, apiserver, "--etcd-servers=http://"+client, "--bind-address=127.0.0.1", "--secure-port="+secure[strings.Index(secure, ":")+1:],
		"--cert-dir="+p.dir+"/certs", "--token-auth-file="+p.dir+"/tokens", "--authorization-mode=RBAC", "--endpoint-reconciler-type=none",
		"--service-account-issuer="+p.url, "--service-account-key-file="+p.dir+"/key", "--service-account-signing-key-file="+p.dir+"/key",
		"--disable-admission-plugins=ServiceAccount,TaintNodesByCondition")
	p.use(t, "default")
	p.await(t, "kubectl get namespace default")
	p.start(t, p.programs+"/kube-controller-manager", "--kubeconfig="+p.config(), "--bind-address=127.0.0.1", "--secure-port=0", "--leader-elect=false",
		"--controllers=job-controller,statefulset-controller,persistentvolume-binder-controller")
	p.start(t, p.programs+"/kube-scheduler", "--kubeconfig="+p.config(), "--bind-address=127.0.0.1", "--secure-port=0", "--leader-elect=false")
	return p
}

func freeAddr(t *testing.T) string {
	addr, err := ports.FreeAddr()
	require.NoError(t, err)
	return addr
}

func (p *controlPlane) config() string { return p.dir + "/config" }

// use has further commands be about a namespace.
func (p *controlPlane) use(t *testing.T, namespace string) {
	text := fmt.Sprintf(kubeconfig, p.url, p.dir+"/certs/apiserver.crt", namespace)
	require.NoError(t, os.WriteFile(p.config(), []byte(text), 0o600))
}

// writeKey makes the key of accounts, without which an API server does not start.
func (p *controlPlane) writeKey(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	raw, err := x509.MarshalECPrivateKey(key)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(p.dir+"/key", pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: raw}), 0o600))
}

// start starts a daemon until the test ends. What it says is shown if the test fails.
func (p *controlPlane) start(t *testing.T, program string, args ...string) {
	log, err := os.Create(filepath.Join(p.dir, filepath.Base(program)+".log"))
	require.NoError(t, err)
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = p.dir, log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // fails if it has ended
		_ = cmd.Wait()         // it was killed
		if log.Close(); t.Failed() {
			t.Logf("%s: %s", program, tail(read(t, log.Name())))
		}
	})
}

// tail is the end of a long text.
func tail(text []byte) []byte { return text[max(0, len(text)-3000):] }

// sh runs a command of a shell in a directory, with a kubectl of this cluster.
func (p *controlPlane) sh(ctx context.Context, dir, command string) (string, error) {
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "KUBECONFIG="+p.config())
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// run runs a command that must not fail.
func (p *controlPlane) run(t *testing.T, dir, command string) string {
	out, err := p.sh(t.Context(), dir, command)
	require.NoError(t, err, "%s: %s", command, out)
	return out
}

// await repeats a command for at most a minute until it succeeds.
func (p *controlPlane) await(t *testing.T, command string) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for {
		out, err := p.sh(ctx, p.dir, command)
		if err == nil {
			return
		}
		require.NoError(t, ctx.Err(), "%s: %s", command, out)
		time.Sleep(200 * time.Millisecond)
	}
}
