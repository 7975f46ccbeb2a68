package remote

import (
	"encoding/json"
	"errors"
	"net/http"
	"time"
)

// longestWait is how long a request waits for what may happen before it is answered.
const longestWait = 10 * time.Second

// answer sends v, unless err is set, which it returns.
func answer(w http.ResponseWriter, v any, err error) error {
	if err == nil {
		err = json.NewEncoder(w).Encode(v)
	}
	return err
}

// refuse answers a request with the reason why it is refused.
func refuse(w http.ResponseWriter, err error) {
	status := http.StatusBadRequest
	if large := new(http.MaxBytesError); errors.As(err, &large) {
		status = http.StatusRequestEntityTooLarge
	}
	http.Error(w, err.Error(), status)
}
