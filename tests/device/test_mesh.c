/* Meshes: orientation, normals, extent. */
#include "test.h"

#include "device/mesh.h"

#include <math.h>

static void names_are_found(void **state)
{
    (void)state;
    assert_int_equal(weft_mesh_find("quad"), WEFT_MESH_QUAD);
    assert_int_equal(weft_mesh_find("Sphere"), WEFT_MESH_SPHERE);
    assert_int_equal(weft_mesh_find("cube"), WEFT_MESH_CUBE);
    assert_int_equal(weft_mesh_find("teapot"), WEFT_MESH_TEAPOT);
    assert_int_equal(weft_mesh_find("dodecahedron"), -1);
    assert_int_equal(weft_mesh_find(""), -1);
}

static void triangles_face_where_their_normals_point(void **state)
{
    (void)state;
    for (int which = WEFT_MESH_QUAD; which <= WEFT_MESH_TEAPOT; which++) {
        struct mesh m;
        assert_int_equal(mesh_make((weft_mesh)which, &m), WEFT_OK);
        assert_int_equal(m.nindices % 3, 0);
        for (uint32_t i = 0; i < m.nindices; i += 3) {
            const struct mesh_vertex *v[3];
            double a[3], b[3], sum[3];
            for (unsigned k = 0; k < 3; k++) {
                assert_true(m.indices[i + k] < m.nvertices);
                v[k] = &m.vertices[m.indices[i + k]];
            }
            for (unsigned c = 0; c < 3; c++) {
                a[c] = v[1]->position[c] - v[0]->position[c];
                b[c] = v[2]->position[c] - v[0]->position[c];
                sum[c] = v[0]->normal[c] + v[1]->normal[c] + v[2]->normal[c];
            }
            double across[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
            double area = sqrt(across[0] * across[0] + across[1] * across[1] + across[2] * across[2]);
            if (area > 1e-6) /* poles have triangles without area */
                assert_true((across[0] * sum[0] + across[1] * sum[1] + across[2] * sum[2]) / area > 0.5);
        }
        mesh_free(&m);
    }
}

static void vertices_are_well_formed(void **state)
{
    (void)state;
    for (int which = WEFT_MESH_QUAD; which <= WEFT_MESH_TEAPOT; which++) {
        struct mesh m;
        assert_int_equal(mesh_make((weft_mesh)which, &m), WEFT_OK);
        for (uint32_t i = 0; i < m.nvertices; i++) {
            const struct mesh_vertex *v = &m.vertices[i];
            double length = 0;
            for (unsigned c = 0; c < 3; c++) {
                assert_true(fabsf(v->position[c]) <= 1.05f);
                length += (double)v->normal[c] * v->normal[c];
            }
            assert_true(fabs(length - 1) < 1e-5);
            assert_true(v->position[3] == 1 && v->normal[3] == 0 && v->texcoord[2] == 0 && v->texcoord[3] == 1);
            assert_true(v->texcoord[0] >= 0 && v->texcoord[0] <= 1 && v->texcoord[1] >= 0 && v->texcoord[1] <= 1);
        }
        mesh_free(&m);
    }
}

static void the_camera_sees_every_mesh(void **state)
{
    (void)state;
    const float aspects[] = {1, 2.5f, 0.3f};
    for (unsigned k = 0; k < 3; k++)
        for (int which = WEFT_MESH_SPHERE; which <= WEFT_MESH_TEAPOT; which++) {
            struct mesh m;
            float matrix[16];
            weft_draw_camera(aspects[k], matrix);
            assert_int_equal(mesh_make((weft_mesh)which, &m), WEFT_OK);
            for (uint32_t i = 0; i < m.nvertices; i++) {
                float clip[4] = {0};
                for (unsigned c = 0; c < 4; c++)
                    for (unsigned r = 0; r < 4; r++)
                        clip[r] += matrix[4 * c + r] * m.vertices[i].position[c];
                for (unsigned c = 0; c < 3; c++)
                    assert_true(fabsf(clip[c]) < clip[3]);
            }
            mesh_free(&m);
        }
}

static void meshes_of_the_caller_are_checked(void **state)
{
    (void)state;
    const float positions[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8}, texcoords[6] = {0, 1, 2, 3, 4, 5};
    uint32_t indices[6] = {2, 1, 0, 0, 0, 0};
    weft_geometry g = {positions, NULL, texcoords, 3, indices, 3};
    struct mesh m;
    assert_int_equal(mesh_of(&g, &m), WEFT_OK);
    assert_int_equal(m.nvertices, 3);
    assert_int_equal(m.nindices, 3);
    assert_memory_equal(m.vertices[2].position, ((float[4]){6, 7, 8, 1}), 16);
    assert_memory_equal(m.vertices[2].normal, ((float[4]){0, 0, 1, 0}), 16);
    assert_memory_equal(m.vertices[2].texcoord, ((float[4]){4, 5, 0, 1}), 16);
    mesh_free(&m);
    g.index_count = 4;
    assert_int_equal(mesh_of(&g, &m), WEFT_ERROR_USAGE);
    g.index_count = 6;
    indices[5] = 3;
    assert_int_equal(mesh_of(&g, &m), WEFT_ERROR_USAGE);
    indices[5] = 2;
    g.positions = NULL;
    assert_int_equal(mesh_of(&g, &m), WEFT_ERROR_USAGE);
    g = (weft_geometry){positions, positions, NULL, 0, indices, 0};
    assert_int_equal(mesh_of(&g, &m), WEFT_OK);
    assert_int_equal(m.nindices, 0);
    mesh_free(&m);
}

TEST_MAIN(TEST(names_are_found), TEST(triangles_face_where_their_normals_point), TEST(vertices_are_well_formed),
          TEST(the_camera_sees_every_mesh), TEST(meshes_of_the_caller_are_checked))
