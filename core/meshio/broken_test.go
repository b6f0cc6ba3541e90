package meshio

import (
	"io/fs"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"genussink/core/internal/shared"
)

// verdict is what a broken or odd file gives: its counts, or an error with the
// given part.
type verdict struct {
	v, f int
	err  string
}

// verdicts has one line for every file of the shared broken files. Where an
// independent reader counted fewer faces, it left the degenerate ones out.
var verdicts = map[string]verdict{
	"gltf/assimp__BoxTextured.glb":                                    {err: "GLB version 1"},
	"gltf/assimp__BoxTextured/BoxTextured.gltf":                       {err: "its buffer 0 is in the file \"BoxTextured0.bin\", which is missing: choose both files together"},
	"gltf/assimp__BoxWithInfinites.glb":                               {err: "element 0 at [-Inf NaN NaN] is not finite"},
	"gltf/assimp__IndexOutOfRange/IndexOutOfRange.gltf":               {err: "accessor 0: element 0 is beyond the 24 vertices"},
	"gltf/assimp__badArray/badArray.gltf":                             {err: "mesh 0: primitives is an object, want a list"},
	"gltf/assimp__badUint/badUint.gltf":                               {v: 8, f: 12}, // the wrong value is a texture's
	"gltf/draco__Box_Draco.glb":                                       {err: "extension \"KHR_draco_mesh_compression\""},
	"gltf/draco__ZeroLengthBufferView/ZeroLengthBufferView.gltf":      {v: 4, f: 2},
	"gltf/gltftr__BoxMeshopt.glb":                                     {err: "extension \"EXT_meshopt_compression\""},
	"gltf/o3dv__TriangleWithoutIndices.gltf":                          {v: 3, f: 1},
	"gltf/tinygltf__integer-out-of-bounds/integer-out-of-bounds.gltf": {err: "number 1e300"},
	"gltf/trimesh__empty_nodes.glb":                                   {err: "no faces: no node of the scene shows one of the 0 meshes"},
	"gltf/trimesh__mode5.gltf":                                        {v: 1476, f: 2786},
	// Most of the validator's cases have no node that shows their mesh: its
	// report says UNUSED_OBJECT, and there is nothing to see.
	"gltf/validator__accessor_unaligned.gltf":  {err: "no faces: no node"},
	"gltf/validator__bom.gltf":                 {err: "no faces: no node"},
	"gltf/validator__chunk_too_big.glb":        {err: "chunk 0: 1 bytes are too few"},
	"gltf/validator__empty_file.glb":           {err: "no faces: the file is empty"},
	"gltf/validator__empty_file.gltf":          {err: "no faces: the file is empty"},
	"gltf/validator__get_elements_sparse.gltf": {err: "no faces: no node"},
	"gltf/validator__index_buffer_degenerate_triangle/index_buffer_degenerate_triangle.gltf": {err: "no faces: no node"},
	"gltf/validator__index_buffer_oob/index_buffer_oob.gltf":                                 {err: "no faces: no node"},
	"gltf/validator__indices_invalid_format.gltf":                                            {err: "no faces: no node"},
	"gltf/validator__invalid_length.gltf":                                                    {err: "no faces: no node"},
	"gltf/validator__invalid_magic.glb":                                                      {err: "is not the 12 byte header"},
	"gltf/validator__invalid_syntax.gltf":                                                    {err: "line 1, column 2: the JSON has \"]\""},
	"gltf/validator__invalid_uri_data_bytelength.gltf":                                       {err: "no faces: no node"},
	"gltf/validator__length_mismatch.glb":                                                    {err: "length 49 in the header, the file has 48"},
	"gltf/validator__node_loop.gltf":                                                         {err: "node 0 is its own ancestor"},
	"gltf/validator__not_found/not_found.gltf":                                               {err: "no faces: no node"},
	"gltf/validator__position_accessor_no_bounds.gltf":                                       {err: "no faces: no node"},
	"gltf/validator__primitive_no_position.gltf":                                             {err: "no faces: no node"},
	"gltf/validator__small_stride.gltf":                                                      {err: "no faces: no node"},
	"gltf/validator__truncated_chunk_header.glb":                                             {err: "chunk 0: 1 bytes are too few"},
	"gltf/validator__two_bin_chunks.glb":                                                     {err: "chunk 0 has type \"BIN\\x00\", want \"JSON\""},
	"gltf/validator__unknown_type.gltf":                                                      {err: "no faces: no node"},
	"gltf/validator__unresolved_indices.gltf":                                                {err: "no faces: no node"},

	"obj/assimp__box_UTF16BE.obj":                    {v: 8, f: 12},
	"obj/assimp__box_longline.obj":                   {v: 8, f: 944}, // 466 of them degenerate
	"obj/assimp__concave_polygon.obj":                {v: 64, f: 64},
	"obj/assimp__empty.obj":                          {err: "no faces: the file is empty"},
	"obj/assimp__malformed.obj":                      {err: "line 28: vertex index 0"},
	"obj/assimp__number_formats.obj":                 {err: "line 11: coordinate z = \"3.1+e2\""},
	"obj/assimp__regr_3429812.obj":                   {v: 4, f: 4},
	"obj/assimp__testline.obj":                       {err: "no faces: the file has 8 vertices"},
	"obj/common3d__teapot.obj":                       {v: 3644, f: 6320},
	"obj/draco__deg_faces.obj":                       {v: 6, f: 4}, // one of them degenerate, one vertex unused
	"obj/draco__inf_nan.obj":                         {err: "line 1: coordinate x = \"inf\" is not a finite number"},
	"obj/g3demos__crazy_boundary.obj":                {v: 1886, f: 3504},
	"obj/g3demos__duplicate_4tris.obj":               {v: 10, f: 8},
	"obj/g3demos__three_edge_crack.obj":              {v: 12, f: 16},
	"obj/gc__fan3.obj":                               {v: 5, f: 3},
	"obj/gc__hourglass_ico.obj":                      {v: 23, f: 40},
	"obj/pymesh__square_2D.obj":                      {err: "line 5: coordinate z is missing"},
	"obj/tinyobj__issue-140-zero-face-idx.obj":       {err: "line 16: vertex index 0"},
	"obj/tinyobj__leading-decimal-dot-issue-201.obj": {v: 3, f: 1},
	"obj/tinyobj__test-nan.obj":                      {err: "line 12: coordinate x = \"nan\""},
	"obj/trimesh__empty.obj":                         {err: "no faces: the file has 0 vertices"},
	"obj/trimesh__joined_tetrahedra.obj":             {v: 5, f: 8},
	"obj/trimesh__negative_indices.obj":              {v: 8, f: 12},
	"obj/trimesh__notenoughindices.obj":              {v: 3, f: 1}, // a face of two corners is left out

	"off/assimp__OutOfMemory.off":                {err: "353535235358 vertices and 6 faces announced, 289 bytes follow"},
	"off/assimp__empty.off":                      {err: "no faces: the file is empty"},
	"off/assimp__invalid.off":                    {err: "line 8: face 1: "},
	"off/cgal__cube-shuffled.off":                {v: 8, f: 12},
	"off/cgal__degtri_sliding.off":               {v: 8, f: 8},
	"off/geomview__dodec.off":                    {err: "\"appearance\" where OFF is wanted"},
	"off/geomview__hypercube.off":                {err: "\"4OFF\": vertices of other than three dimensions"},
	"off/geomview__tref.off":                     {v: 1280, f: 640},
	"off/libigl__inspired_mesh_quads_Smooth.off": {v: 1963, f: 3676},
	"off/pmplib__beetle.off":                     {v: 5105, f: 9664},
	"off/trimesh__comments.off":                  {v: 8, f: 12},

	"ply/assimp__crash-30d6d0f7c529b3b66b4131700b7a4580cd7082df.ply": {err: "the header has no end_header"},
	"ply/assimp__cube_binary_header_with_RN_newline.ply":             {v: 8, f: 12},
	"ply/assimp__empty.ply":                    {err: "no faces: the file is empty"},
	"ply/assimp__issue623.ply":                 {err: "line 15: vertex 0: 7.941797 where a whole number is wanted"}, // its list is the vertices'
	"ply/assimp__points.ply":                   {err: "no faces: the file has 4 vertices"},
	"ply/draco__float_inf_point_cloud.ply":     {err: "line 8: vertex 0: coordinate z = +Inf is not finite"},
	"ply/draco__test_extra_whitespace.ply":     {v: 3, f: 1},
	"ply/libigltest__cube_with_fold.ply":       {v: 26, f: 48},
	"ply/pp3d__bunny_poly.ply":                 {v: 1241, f: 2478},
	"ply/trimesh__ply_empty_header.ply":        {err: "no faces: the file has 0 vertices"},
	"ply/trimesh__points_ascii_with_lists.ply": {err: "no faces: the file has 5 vertices"},
	"ply/trimesh__suzanne.ply":                 {v: 1966, f: 968},

	"stl/admesh__fill-holes-bad.stl":                 {v: 8, f: 11},
	"stl/admesh__nearby-bad.stl":                     {v: 9, f: 12},
	"stl/admesh__normal-directions-bad.stl":          {v: 8, f: 12},
	"stl/assimp__triangle_with_empty_solid.stl":      {v: 3, f: 1},
	"stl/gpytoolbox__sphere_binary_solid_header.stl": {v: 682, f: 1360},
	"stl/numpystl__CubeInvalidUnicode.stl":           {v: 8, f: 12},
	"stl/numpystl__Moon_Chinese.stl":                 {v: 60, f: 116},
	"stl/openscad__cubes-touching.stl":               {v: 14, f: 24},
	"stl/openscad__empty.stl":                        {err: "no faces: the file is empty"},
	"stl/openscad__empty2.stl":                       {err: "no faces: the file has 0 vertices"},
	"stl/openscad__invalidvertex.stl":                {err: "line 89: coordinate z = \"blah\""},
	"stl/openscad__nonmanifold.stl":                  {v: 8, f: 11},
	"stl/openscad__toomanyvertices.stl":              {err: "line 92: a facet of 4 vertices"},
	"stl/trimesh__stl_empty_bin.stl":                 {err: "no faces: the file has 0 vertices"},
	"stl/trimesh__two_objects_mixed_case_names.stl":  {v: 16, f: 24},
}

// TestBroken reads every broken file: the verdict of the table, in under 5 s
// and 1 GB.
func TestBroken(t *testing.T) {
	root := shared.Path(t, "broken")
	left := make(map[string]bool)
	for name := range verdicts {
		left[name] = true
	}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() || strings.HasSuffix(name, ".report.json") || strings.HasSuffix(name, ".bin") {
			return nil
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		t.Run(rel, func(t *testing.T) {
			want, ok := verdicts[rel]
			if !ok {
				t.Fatal("the table has no verdict for this file")
			}
			delete(left, rel)
			start, before := shared.Processor(), allocated()
			res, err := readFile(t, name)
			if took := shared.Processor().Sub(start); took > 5*time.Second {
				t.Errorf("took %v of a processor", took)
			}
			if used := allocated() - before; used > 1<<30 {
				t.Errorf("allocated %d bytes", used)
			}
			if err != nil {
				if want.err == "" || !strings.Contains(err.Error(), want.err) || strings.Contains(err.Error(), "\n") {
					t.Errorf("error %q, want %+v", err, want)
				}
				return
			}
			if want.err != "" || len(res.Mesh.Positions) != want.v || len(res.Mesh.Faces) != want.f {
				t.Errorf("V %d F %d, want %+v", len(res.Mesh.Positions), len(res.Mesh.Faces), want)
			}
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range left {
		t.Errorf("%s has a verdict and is not there", name)
	}
}

// allocated is the number of bytes allocated so far, garbage included.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}
