package suite

func isVictim() bool     { return false }
func victim([]Entry) int { return 0 }
