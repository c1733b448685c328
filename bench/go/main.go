// Command bench answers how long Go libraries take for the workloads of bench/workloads.txt.
//
//	bench WORKLOADS
//
// It reads lines "library algorithm operation size alignment threads times" and answers each with nanoseconds a message and the
// digest; "none" when the library does not have the workload. "list" answers with the libraries and their versions. The process
// that drives it (bench/go/run) lets it alternate with hashcore's.
package main

import (
	"bufio"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
	"unsafe"

	minio "github.com/minio/blake2b-simd"
	pion "github.com/pion/transport/v2/utils/xor"
	zeebo "github.com/zeebo/blake3"
	"golang.org/x/crypto/blake2b"
	luke "lukechampine.com/blake3"
)

type workload struct {
	kind, algorithm, operation string
	size, alignment, output    int
	input                      []byte
	parts                      [][]byte
}

// A row does its work so many times and returns the output.
type row func(times int) []byte

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(2)
	}
}

// aligned gives n bytes that start off bytes past a multiple of 4096; byte i is (i + start) mod by.
func aligned(n, off, start, by int) []byte {
	b := make([]byte, n+off+4096)
	skip := int(-uintptr(unsafe.Pointer(&b[0]))&4095) + off
	b = b[skip : skip+n : skip+n]
	for i := range b {
		b[i] = byte((i + start) % by)
	}
	return b
}

func read(path string) []workload {
	f, err := os.Open(path)
	must(err)
	defer f.Close()
	nodes := map[string][][]byte{}
	var all []workload
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		field := strings.Fields(lines.Text())
		switch {
		case len(field) == 0 || field[0] == "#":
		case field[0] == "node":
			var parts [][]byte
			for _, text := range strings.Split(field[3], ",") {
				part, err := hex.DecodeString(strings.TrimSuffix(text, "-"))
				must(err)
				parts = append(parts, part)
			}
			nodes[field[1]+field[2]] = parts
		default:
			w := workload{kind: field[0], algorithm: field[1], operation: field[2]}
			for i, to := range map[int]*int{4: &w.size, 7: &w.alignment, 8: &w.output} {
				_, err := fmt.Sscan(field[i], to)
				must(err)
			}
			if name, ok := strings.CutPrefix(field[3], "node:"); ok {
				w.parts = nodes[w.algorithm+name]
				for _, p := range w.parts {
					w.input = append(w.input, p...)
				}
			} else if w.kind == "xof" {
				w.input = aligned(64, 0, 0, 251)
			} else {
				w.input = aligned(w.size, 0, 0, 251)
			}
			all = append(all, w)
		}
	}
	must(lines.Err())
	return all
}

// ---- Rows ---------------------------------------------------------------------------------------------------------

// kept hashes with an object that is there already, as Go's benchmarks do: Reset, a Write a part, Sum into a buffer.
func kept(h hash.Hash, parts ...[]byte) row {
	sum := make([]byte, 0, 64)
	return func(times int) []byte {
		for range times {
			h.Reset()
			for _, p := range parts {
				h.Write(p)
			}
			sum = h.Sum(sum[:0])
		}
		return sum
	}
}

func fresh[H hash.Hash](create func() H, parts ...[]byte) row {
	sum := make([]byte, 0, 64)
	return func(times int) []byte {
		for range times {
			h := create()
			for _, p := range parts {
				h.Write(p)
			}
			sum = h.Sum(sum[:0])
		}
		return sum
	}
}

func once(sum func([]byte) [32]byte, data []byte) row {
	return func(times int) []byte {
		var d [32]byte
		for range times {
			d = sum(data)
		}
		return d[:]
	}
}

func pieces(data []byte, n int) (parts [][]byte) {
	for ; len(data) > n; data = data[n:] {
		parts = append(parts, data[:n])
	}
	return append(parts, data)
}

func xored(w workload, xor func(dst, x, y []byte) int) row {
	off := w.alignment
	dst := aligned(w.size, off, 0, 251)
	if w.kind == "xordst" {
		off = 0
	}
	x, y := aligned(w.size, off, 0, 251), aligned(w.size, off, 89, 241)
	return func(times int) []byte {
		for range times {
			xor(dst, x, y)
		}
		return dst
	}
}

func reading(r io.ReadSeeker, size int) row {
	out := make([]byte, size)
	return func(times int) []byte {
		for range times {
			r.Seek(0, io.SeekStart)
			r.Read(out)
		}
		return out
	}
}

// hashed makes the row of a library that has a hash.Hash and a one-shot; nil where the workload asks for something else.
func hashed[H hash.Hash](w workload, create func() H, sum func([]byte) [32]byte) row {
	switch w.kind {
	case "hash":
		return once(sum, w.input)
	case "new":
		return fresh(create, w.parts...)
	case "reset", "parts":
		return kept(create(), w.parts...)
	case "write":
		return fresh(create, pieces(w.input, 32<<10)...)
	}
	return nil
}

type library struct {
	name, module string
	row          func(w workload) row
}

var libraries = []library{
	{"x/crypto", "golang.org/x/crypto", func(w workload) row {
		if w.algorithm != "blake2b" {
			return nil
		}
		h, err := blake2b.New(w.output, nil)
		must(err)
		return kept(h, w.input)
	}},
	{"minio/blake2b-simd", "github.com/minio/blake2b-simd", func(w workload) row {
		if w.algorithm != "blake2b" {
			return nil
		}
		h, err := minio.New(&minio.Config{Size: uint8(w.output)})
		must(err)
		return kept(h, w.input)
	}},
	{"crypto/sha256", "", func(w workload) row {
		if w.algorithm != "sha256" {
			return nil
		}
		return hashed(w, sha256.New, sha256.Sum256)
	}},
	{"lukechampine/blake3", "lukechampine.com/blake3", func(w workload) row {
		if w.algorithm != "blake3" {
			return nil
		}
		if w.kind == "xof" {
			h := luke.New(32, nil)
			h.Write(w.input)
			return reading(h.XOF(), w.size)
		}
		return hashed(w, func() *luke.Hasher { return luke.New(32, nil) }, luke.Sum256)
	}},
	{"zeebo/blake3", "github.com/zeebo/blake3", func(w workload) row {
		if w.algorithm != "blake3" {
			return nil
		}
		if w.kind == "xof" {
			h := zeebo.New()
			h.Write(w.input)
			return reading(h.Digest(), w.size)
		}
		return hashed(w, zeebo.New, zeebo.Sum256)
	}},
	{"crypto/subtle", "", func(w workload) row {
		if w.algorithm != "xor" {
			return nil
		}
		return xored(w, subtle.XORBytes)
	}},
	{"pion/transport", "github.com/pion/transport/v2", func(w workload) row {
		if w.algorithm != "xor" {
			return nil
		}
		return xored(w, pion.XorBytes)
	}},
}

func version(module string) string {
	info, _ := debug.ReadBuildInfo()
	for _, d := range info.Deps {
		if d.Path == module {
			return d.Version
		}
	}
	return runtime.Version()
}

func digest(output []byte) string {
	if len(output) > 64 {
		d := sha256.Sum256(output)
		output = d[:]
	}
	return hex.EncodeToString(output)
}

func main() {
	if len(os.Args) != 2 {
		must(fmt.Errorf("usage: bench WORKLOADS"))
	}
	workloads := read(os.Args[1])
	rows := map[string]row{}
	find := func(name, algorithm, operation string, size, alignment int) row {
		key := fmt.Sprint(name, algorithm, operation, size, alignment)
		if r, ok := rows[key]; ok {
			return r
		}
		for _, l := range libraries {
			for _, w := range workloads {
				if l.name == name && w.algorithm == algorithm && w.operation == operation && w.size == size && w.alignment == alignment {
					rows[key] = l.row(w)
					return rows[key]
				}
			}
		}
		return nil
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		if lines.Text() == "list" {
			for _, l := range libraries {
				fmt.Printf("%s=%s ", l.name, version(l.module))
			}
			fmt.Println()
			continue
		}
		var name, algorithm, operation string
		var size, alignment, threads, times int
		_, err := fmt.Sscan(lines.Text(), &name, &algorithm, &operation, &size, &alignment, &threads, &times)
		must(err)
		r := find(name, algorithm, operation, size, alignment)
		if r == nil {
			fmt.Println("none")
			continue
		}
		if threads != runtime.GOMAXPROCS(0) && threads > 0 {
			runtime.GOMAXPROCS(threads)
		}
		r(times/8 + 1)
		start := time.Now()
		output := r(times)
		ns := float64(time.Since(start).Nanoseconds()) / float64(times)
		fmt.Printf("%.4f %s\n", ns, digest(output))
	}
	must(lines.Err())
}
