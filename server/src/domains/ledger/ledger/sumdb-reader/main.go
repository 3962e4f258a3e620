// Reads and verifies a log of C2SP tlog-tiles with the libraries of the Go checksum database, which the product shares
// no code with: golang.org/x/mod/sumdb/note opens the checkpoint, golang.org/x/mod/sumdb/tlog verifies every tile that
// it reads against the root. Only paths are adapted: tlog-tiles leaves out the height, which is always 8.
//
//	go run main.go URL VKEY [TOKEN]
//
// Prints origin, size, number of verified entries and number of tiles read as JSON.
package main

import (
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

const height = 8

type reader struct {
	url, token string
	tiles      int
}

func (r *reader) get(path string) ([]byte, error) {
	request, err := http.NewRequest("GET", r.url+"/"+path, nil)
	if err != nil {
		return nil, err
	}
	if r.token != "" {
		request.Header.Set("Authorization", "Bearer "+r.token)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != 200 {
		return nil, fmt.Errorf("%s: %s", path, response.Status)
	}
	return io.ReadAll(response.Body)
}

func (r *reader) Height() int { return height }

func (r *reader) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	var all [][]byte
	for _, tile := range tiles {
		data, err := r.get(strings.Replace(tile.Path(), "tile/8/", "tile/", 1))
		if err != nil {
			return nil, err
		}
		r.tiles++
		all = append(all, data)
	}
	return all, nil
}

func (r *reader) SaveTiles(tiles []tlog.Tile, data [][]byte) {}

// entries returns the entries of a bundle, each of which follows its length in two bytes.
func entries(bundle []byte) ([][]byte, error) {
	var all [][]byte
	for len(bundle) > 0 {
		if len(bundle) < 2 || len(bundle)-2 < int(binary.BigEndian.Uint16(bundle)) {
			return nil, fmt.Errorf("an entry bundle ends within an entry")
		}
		end := 2 + int(binary.BigEndian.Uint16(bundle))
		all = append(all, bundle[2:end])
		bundle = bundle[end:]
	}
	return all, nil
}

func treeOf(text string) (origin string, tree tlog.Tree, err error) {
	lines := strings.Split(text, "\n")
	if len(lines) < 4 {
		return "", tree, fmt.Errorf("the checkpoint has too few lines")
	}
	tree.N, err = strconv.ParseInt(lines[1], 10, 64)
	if err != nil {
		return "", tree, err
	}
	root, err := base64.StdEncoding.DecodeString(lines[2])
	if err != nil || len(root) != tlog.HashSize {
		return "", tree, fmt.Errorf("the checkpoint has no root")
	}
	copy(tree.Hash[:], root)
	return lines[0], tree, nil
}

func read(url, vkey, token string) error {
	log := &reader{url: url, token: token}
	verifier, err := note.NewVerifier(vkey)
	if err != nil {
		return err
	}
	signed, err := log.get("checkpoint")
	if err != nil {
		return err
	}
	opened, err := note.Open(signed, note.VerifierList(verifier))
	if err != nil {
		return err
	}
	origin, tree, err := treeOf(opened.Text)
	if err != nil {
		return err
	}
	// Verifies each tile against the root.
	hashes := tlog.TileHashReader(tree, log)
	verified := 0
	for from := int64(0); from < tree.N; from += 1 << height {
		width := tree.N - from
		if width > 1<<height {
			width = 1 << height
		}
		tile := tlog.Tile{H: height, L: -1, N: from >> height, W: int(width)}
		bundle, err := log.get(strings.Replace(tile.Path(), "tile/8/data/", "tile/entries/", 1))
		if err != nil {
			return err
		}
		all, err := entries(bundle)
		if err != nil {
			return err
		}
		if int64(len(all)) != width {
			return fmt.Errorf("bundle %d has %d of %d entries", tile.N, len(all), width)
		}
		var indexes []int64
		for at := range all {
			indexes = append(indexes, tlog.StoredHashIndex(0, from+int64(at)))
		}
		leaves, err := hashes.ReadHashes(indexes)
		if err != nil {
			return err
		}
		for at, entry := range all {
			if tlog.RecordHash(entry) != leaves[at] {
				return fmt.Errorf("entry %d is not in the tree", from+int64(at))
			}
			verified++
		}
	}
	// A proof of the first entry and of an earlier tree, from the tiles alone.
	proof, err := tlog.ProveRecord(tree.N, 0, hashes)
	if err != nil {
		return err
	}
	first, err := hashes.ReadHashes([]int64{tlog.StoredHashIndex(0, 0)})
	if err != nil {
		return err
	}
	if err := tlog.CheckRecord(proof, tree.N, tree.Hash, 0, first[0]); err != nil {
		return err
	}
	half := (tree.N + 1) / 2
	older, err := tlog.TreeHash(half, hashes)
	if err != nil {
		return err
	}
	growth, err := tlog.ProveTree(tree.N, half, hashes)
	if err != nil {
		return err
	}
	if err := tlog.CheckTree(growth, tree.N, tree.Hash, half, older); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]any{
		"origin": origin, "size": tree.N, "entries": verified, "tiles": log.tiles,
	})
}

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: go run main.go URL VKEY [TOKEN]")
		os.Exit(2)
	}
	token := ""
	if len(os.Args) > 3 {
		token = os.Args[3]
	}
	if err := read(os.Args[1], os.Args[2], token); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
