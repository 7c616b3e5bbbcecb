// The peer of first_snapshot: client-go's shared informers for the kinds that Parley follows, as a
// controller sets them up. Prints a line of JSON when all of them have synced, and one with the
// memory in use a moment later.
//
// Usage: informer --kubeconfig FILE [--kinds all|pods] [--namespace NAME] [--settle 3s]
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

const leaseNamespace = "kube-node-lease"

// chosen returns the informers of all kinds that every cluster serves and Parley follows, or of
// nodes and pods alone. Leases come from their own namespace, as Parley reads them.
func chosen(kinds string, all, leases informers.SharedInformerFactory) []cache.SharedIndexInformer {
	core := all.Core().V1()
	two := []cache.SharedIndexInformer{core.Nodes().Informer(), core.Pods().Informer()}
	if kinds == "pods" {
		return two
	}
	apps, batch := all.Apps().V1(), all.Batch().V1()
	return append(two,
		leases.Coordination().V1().Leases().Informer(),
		core.Namespaces().Informer(),
		core.PersistentVolumeClaims().Informer(),
		core.LimitRanges().Informer(),
		core.ResourceQuotas().Informer(),
		apps.Deployments().Informer(),
		apps.ReplicaSets().Informer(),
		apps.StatefulSets().Informer(),
		apps.DaemonSets().Informer(),
		batch.Jobs().Informer(),
		batch.CronJobs().Informer(),
		all.Policy().V1().PodDisruptionBudgets().Informer(),
		all.Autoscaling().V2().HorizontalPodAutoscalers().Informer(),
		all.Scheduling().V1().PriorityClasses().Informer())
}

// resident is what the kernel says that the process holds, in bytes.
func resident() uint64 {
	file, err := os.Open("/proc/self/status")
	if err != nil {
		return 0
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if words := strings.Fields(lines.Text()); len(words) > 1 && words[0] == "VmRSS:" {
			kib, _ := strconv.ParseUint(words[1], 10, 64)
			return kib << 10
		}
	}
	return 0
}

func say(line map[string]any) {
	text, _ := json.Marshal(line)
	fmt.Println(string(text))
}

func run() error {
	began := time.Now()
	kubeconfig := flag.String("kubeconfig", "", "where the cluster is")
	kinds := flag.String("kinds", "all", "all that Parley follows; pods: nodes and pods")
	namespace := flag.String("namespace", "", "only this one; empty: all")
	settle := flag.Duration("settle", 0, "wait so long before memory is measured; 0: it is not")
	flag.Parse()
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		return err
	}
	// As controllers have it: protobuf for built-in kinds. No limit of our own on requests: the
	// default of 5 a second would only slow the peer down.
	config.ContentType = "application/vnd.kubernetes.protobuf"
	config.AcceptContentTypes = "application/vnd.kubernetes.protobuf,application/json"
	config.QPS = -1
	config.UserAgent = "informer"
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	all := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(*namespace))
	leases := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(leaseNamespace))
	watched := chosen(*kinds, all, leases)
	stop := make(chan struct{})
	defer close(stop)
	all.Start(stop)
	leases.Start(stop)
	for _, factory := range []informers.SharedInformerFactory{all, leases} {
		for kind, synced := range factory.WaitForCacheSync(stop) {
			if !synced {
				return fmt.Errorf("%v did not sync", reflect.TypeOf(kind))
			}
		}
	}
	took := time.Since(began)
	pods := len(all.Core().V1().Pods().Informer().GetStore().List())
	nodes := len(all.Core().V1().Nodes().Informer().GetStore().List())
	say(map[string]any{"seconds": took.Seconds(), "pods": pods, "nodes": nodes, "kinds": len(watched)})
	if *settle == 0 {
		return nil
	}
	time.Sleep(*settle)
	asItIs := resident()
	runtime.GC()
	debug.FreeOSMemory()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	say(map[string]any{"rss": asItIs, "rss_trimmed": resident(), "heap": memory.HeapAlloc})
	return nil
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "informer:", err)
		os.Exit(1)
	}
}
