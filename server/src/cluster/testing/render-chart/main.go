// Renders the templates of a chart with the template functions that Helm itself uses, for machines without Helm.
// Usage: render-chart CHART RELEASE NAMESPACE < VALUES (JSON or YAML, laid over values.yaml)
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"gopkg.in/yaml.v3"
)

type object = map[string]interface{}

func main() {
	if len(os.Args) != 4 {
		stop(fmt.Errorf("usage: render-chart CHART RELEASE NAMESPACE < VALUES"))
	}
	folder, release, namespace := os.Args[1], os.Args[2], os.Args[3]
	var chart, values, given object
	read(filepath.Join(folder, "Chart.yaml"), &chart)
	read(filepath.Join(folder, "values.yaml"), &values)
	input, err := io.ReadAll(os.Stdin)
	stop(err)
	stop(yaml.Unmarshal(input, &given))
	files, err := filepath.Glob(filepath.Join(folder, "templates", "*"))
	stop(err)
	sort.Strings(files)

	set := template.New("chart")
	functions := sprig.TxtFuncMap()
	functions["include"] = func(name string, data interface{}) (string, error) {
		var out bytes.Buffer
		err := set.ExecuteTemplate(&out, name, data)
		return out.String(), err
	}
	functions["toYaml"] = func(value interface{}) (string, error) {
		var out bytes.Buffer
		encoder := yaml.NewEncoder(&out)
		encoder.SetIndent(2)
		err := encoder.Encode(value)
		return strings.TrimSuffix(out.String(), "\n"), err
	}
	set.Option("missingkey=error").Funcs(functions)
	for _, file := range files {
		text, err := os.ReadFile(file)
		stop(err)
		template.Must(set.New(filepath.Base(file)).Parse(string(text)))
	}
	data := object{
		"Chart":   object{"Name": chart["name"], "Version": chart["version"], "AppVersion": chart["appVersion"]},
		"Release": object{"Name": release, "Namespace": namespace, "Service": "Helm"},
		"Values":  merge(values, given),
	}
	for _, file := range files {
		if name := filepath.Base(file); filepath.Ext(name) == ".yaml" {
			var out bytes.Buffer
			stop(set.ExecuteTemplate(&out, name, data))
			if strings.TrimSpace(out.String()) != "" {
				fmt.Printf("---\n# Source: %s\n%s\n", name, strings.TrimSpace(out.String()))
			}
		}
	}
}

func merge(base, over object) object {
	merged := object{}
	for key, value := range base {
		merged[key] = value
	}
	for key, value := range over {
		inner, isObject := value.(object)
		before, wasObject := merged[key].(object)
		if isObject && wasObject {
			merged[key] = merge(before, inner)
		} else {
			merged[key] = value
		}
	}
	return merged
}

func read(path string, into interface{}) {
	text, err := os.ReadFile(path)
	stop(err)
	stop(yaml.Unmarshal(text, into))
}

func stop(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
