// Reads a publication log as any tlog-tiles client does, with Go's own implementation, and checks proofs given on
// standard input against it.
package main

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type inclusion struct {
	LeafIndex  int64    `json:"leafIndex"`
	Leaf       string   `json:"leaf"`
	Hashes     []string `json:"hashes"`
	Checkpoint string   `json:"checkpoint"`
}

type consistency struct {
	From       int64    `json:"from"`
	To         int64    `json:"to"`
	Hashes     []string `json:"hashes"`
	Checkpoint string   `json:"checkpoint"`
}

type given struct {
	Prefix      string        `json:"prefix"`
	Verifiers   []string      `json:"verifiers"`
	Inclusions  []inclusion   `json:"inclusions"`
	Consistency []consistency `json:"consistency"`
}

const height = 8

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func fetch(url string) ([]byte, error) {
	answer, err := http.Get(url)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != 200 {
		err = fmt.Errorf("%s: %s", url, answer.Status)
	}
	return body, err
}

type tiles struct {
	prefix string
	kept   map[string][]byte
}

func (t tiles) Height() int { return height }
func (t tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	var read [][]byte
	for _, tile := range wanted {
		path := strings.Replace(tile.Path(), fmt.Sprintf("tile/%d/", height), "tile/", 1)
		body, kept := t.kept[path]
		if !kept {
			var err error
			if body, err = fetch(t.prefix + "/" + path); err != nil {
				return nil, err
			}
			t.kept[path] = body
		}
		read = append(read, body)
	}
	return read, nil
}
func (t tiles) SaveTiles([]tlog.Tile, [][]byte) {}

func open(text string, verifiers []string) (tlog.Tree, int) {
	var known []note.Verifier
	for _, key := range verifiers {
		verifier, err := note.NewVerifier(key)
		must(err)
		known = append(known, verifier)
	}
	opened, err := note.Open([]byte(text), note.VerifierList(known...))
	must(err)
	lines := strings.Split(opened.Text, "\n")
	size, err := strconv.ParseInt(lines[1], 10, 64)
	must(err)
	root, err := tlog.ParseHash(lines[2])
	must(err)
	return tlog.Tree{N: size, Hash: root}, len(opened.Sigs)
}

func hashes(texts []string) (all []tlog.Hash) {
	for _, text := range texts {
		hash, err := tlog.ParseHash(text)
		must(err)
		all = append(all, hash)
	}
	return all
}

func entries(prefix string, tile int64, width int64) (leaves [][]byte) {
	path := strings.TrimPrefix(tlog.Tile{H: height, L: 0, N: tile, W: int(width)}.Path(), fmt.Sprintf("tile/%d/0/", height))
	body, err := fetch(prefix + "/tile/entries/" + path)
	must(err)
	for len(body) > 0 {
		length := int(binary.BigEndian.Uint16(body))
		leaves = append(leaves, body[2:2+length])
		body = body[2+length:]
	}
	return leaves
}

func main() {
	var work given
	must(json.NewDecoder(os.Stdin).Decode(&work))
	text, err := fetch(work.Prefix + "/checkpoint")
	must(err)
	tree, signatures := open(string(text), work.Verifiers)
	reader := tlog.TileHashReader(tree, tiles{work.Prefix, map[string][]byte{}})
	var leaves int64
	for tile := int64(0); tile<<height < tree.N; tile++ {
		width := min(int64(1)<<height, tree.N-tile<<height)
		for n, leaf := range entries(work.Prefix, tile, width) {
			index := tile<<height + int64(n)
			stored, err := reader.ReadHashes([]int64{tlog.StoredHashIndex(0, index)})
			must(err)
			if stored[0] != tlog.RecordHash(leaf) {
				must(fmt.Errorf("leaf %d does not have its hash", index))
			}
			leaves++
		}
	}
	for _, proof := range work.Inclusions {
		of, _ := open(proof.Checkpoint, work.Verifiers)
		must(tlog.CheckRecord(hashes(proof.Hashes), of.N, of.Hash, proof.LeafIndex, tlog.RecordHash([]byte(proof.Leaf))))
		if of.N == tree.N {
			own, err := tlog.ProveRecord(tree.N, proof.LeafIndex, reader)
			must(err)
			for n, hash := range hashes(proof.Hashes) {
				if own[n] != hash {
					must(fmt.Errorf("hash %d of the proof of leaf %d is another one", n, proof.LeafIndex))
				}
			}
		}
	}
	for _, proof := range work.Consistency {
		of, _ := open(proof.Checkpoint, work.Verifiers)
		earlier, err := tlog.TreeHash(proof.From, reader)
		must(err)
		if proof.From == of.N {
			continue
		}
		must(tlog.CheckTree(hashes(proof.Hashes), of.N, of.Hash, proof.From, earlier))
	}
	var out bytes.Buffer
	must(json.NewEncoder(&out).Encode(map[string]any{
		"leaves": leaves, "size": tree.N, "signatures": signatures, "root": base64.StdEncoding.EncodeToString(tree.Hash[:]),
	}))
	os.Stdout.Write(out.Bytes())
}
