// A receiver on net/http.
// WEBHOOK_SECRET=whsec_… PORT=3000 go run .
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"sync"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

const maxBody = 64 << 20

type event struct {
	Type string `json:"type"`
	ID   string `json:"id"`
}

// A table with a unique key on the id, in a real service: this map forgets everything at a restart.
var (
	lock      sync.Mutex
	processed = map[string]bool{}
)

// Put the event on your own queue here and return: the answer must be sent within 5 seconds.
func accept(one event) error {
	_, err := fmt.Println(one.Type, one.ID)
	return err
}

func main() {
	// During a rotation, put both secrets here, separated by a space, and remove the old one a day later.
	var verifiers []*standardwebhooks.Webhook
	for _, secret := range strings.Split(os.Getenv("WEBHOOK_SECRET"), " ") {
		webhook, err := standardwebhooks.NewWebhook(secret)
		if err != nil {
			log.Fatal(err)
		}
		verifiers = append(verifiers, webhook)
	}

	http.HandleFunc("POST /", func(w http.ResponseWriter, r *http.Request) {
		// The signature covers the bytes as they came: read them before anything parses them.
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		if err != nil || !verified(verifiers, body, r.Header) {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		var one event
		if err := json.Unmarshal(body, &one); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		lock.Lock()
		defer lock.Unlock()
		if !processed[one.ID] {
			if accept(one) != nil {
				w.WriteHeader(http.StatusInternalServerError)
				return
			}
			processed[one.ID] = true // only now: had it failed, the retry has to find the id unknown
		}
		w.WriteHeader(http.StatusNoContent)
	})

	port := os.Getenv("PORT")
	if port == "" {
		port = "3000"
	}
	log.Fatal(http.ListenAndServe("127.0.0.1:"+port, nil))
}

func verified(verifiers []*standardwebhooks.Webhook, body []byte, headers http.Header) bool {
	for _, webhook := range verifiers {
		if webhook.Verify(body, headers) == nil {
			return true
		}
	}
	return false
}
