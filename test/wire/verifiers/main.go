// Verifies captured requests with the stock Go library. Reads captures as JSON, writes one result per check.
package main

import (
	"encoding/json"
	"net/http"
	"os"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

type check struct {
	Name    string            `json:"name"`
	Family  string            `json:"family"`
	Secret  string            `json:"secret"`
	Headers map[string]string `json:"headers"`
	Body    []byte            `json:"body"`
}

type result struct {
	Library string `json:"library"`
	Check   string `json:"check"`
	Verdict string `json:"verdict"`
}

func main() {
	file, err := os.Open(os.Args[1])
	if err != nil {
		panic(err)
	}
	var checks []check
	if err := json.NewDecoder(file).Decode(&checks); err != nil {
		panic(err)
	}
	results := []result{}
	for _, one := range checks {
		if one.Family == "svix" {
			continue
		}
		results = append(results, result{"Go standard-webhooks", one.Name, verdict(one)})
	}
	if err := json.NewEncoder(os.Stdout).Encode(results); err != nil {
		panic(err)
	}
}

func verdict(one check) string {
	webhook, err := standardwebhooks.NewWebhook(one.Secret)
	if err != nil {
		return err.Error()
	}
	headers := http.Header{}
	for name, value := range one.Headers {
		headers.Set(name, value)
	}
	if webhook.Verify(one.Body, headers) != nil {
		return "refused"
	}
	return "verified"
}
