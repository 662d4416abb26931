/* mesh_file.h - meshes as files: Wavefront OBJ. */
#ifndef WEFT_CLI_MESH_FILE_H
#define WEFT_CLI_MESH_FILE_H

#include "cli/cli.h"

#include <weft/draw.h>

/* A mesh and its memory. */
struct mesh_file {
    weft_geometry geometry;
    float *positions, *normals, *texcoords;
    uint32_t *indices;
};

/* Read the text of an OBJ file: v, vt, vn and f with corners V, V/T, V//N or V/T/N, counted from 1 or backwards from
 * -1; faces of more corners are fans of triangles, and corners without a normal get that of their face. Other lines are
 * about what weft does not draw, and are left out. Places of errors are in `diags`. Free it either way. */
weft_status mesh_file_parse(const struct cli_bytes *in, struct mesh_file *mesh, weft_diags *diags);
/* Triangles of so many vertices without data: their positions are 0. */
void mesh_file_empty(uint32_t vertices, struct mesh_file *mesh);
/* Move and scale it so that it fits into -1 to 1 each way. */
void mesh_file_fit(struct mesh_file *mesh);
void mesh_file_free(struct mesh_file *mesh);

#endif
