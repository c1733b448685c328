module hashcore/bench

go 1.26.0

require (
	github.com/minio/blake2b-simd v0.0.0-20160723061019-3f5f724cb5b1
	github.com/pion/transport/v2 v2.2.10
	github.com/zeebo/blake3 v0.2.4
	golang.org/x/crypto v0.59.0
	lukechampine.com/blake3 v1.4.1
)

require (
	github.com/klauspost/cpuid/v2 v2.0.12 // indirect
	golang.org/x/sys v0.50.0 // indirect
)
