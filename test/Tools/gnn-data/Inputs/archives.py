"""Archives of arrays as NumPy writes them: archives.py FOLDER"""
import pathlib
import sys
import zipfile

from npy_files import content


def archive(name, **arrays):
    with zipfile.ZipFile(pathlib.Path(sys.argv[1]) / f"{name}.npz", "w", zipfile.ZIP_DEFLATED) as to:
        for member, (kind, shape, values) in arrays.items():
            to.writestr(f"{member}.npy", content(kind, values, shape))


INDEX = ("<i8", [2, 4], [0, 1, 2, 3, 1, 2, 0, 3])
X, Y = ("<f4", [4, 2], [float(i) for i in range(8)]), ("<i8", [4], [0, 1, 1, 0])
archive("pyg", edge_index=INDEX, x=X, y=Y, train_mask=("|b1", [4], [1, 1, 0, 0]), val_mask=("<i8", [4], [0, 0, 1, 0]),
        test_idx=("<i8", [1], [3]), edge_weight=("<f4", [4], [1.0, 2.0, 3.0, 4.0]), pos=("<f4", [1], [1.0]))
archive("pages", edges=("<i4", [3, 2], [0, 1, 1, 2, 2, 0]), features=("<f4", [3, 1], [1.0, 2.0, 3.0]), target=("<i8", [3], [0, 1, 1]),
        train_masks=("|b1", [2, 3], [1, 0, 0, 0, 1, 0]))
archive("shchur", adj_data=("<f4", [2], [1.0, 1.0]), adj_indices=("<i4", [2], [1, 0]), adj_indptr=("<i4", [3], [0, 1, 2]), adj_shape=("<i8", [2], [2, 2]),
        attr_matrix=("<f4", [2, 1], [1.0, 2.0]), labels=("<i8", [2], [0, 1]))
MATRIX = dict(data=("<f4", [1], [1.0]), indices=("<i4", [1], [1]), indptr=("<i4", [3], [0, 1, 1]), shape=("<i8", [2], [2, 2]))
archive("text", format=("<U3", [], b"c\0\0\0s\0\0\0r\0\0\0"), **MATRIX)
archive("block", format=("|S3", [], b"bsr"), **MATRIX)
archive("long", format=("|S9000", [], b"csr" + bytes(8997)), **MATRIX)
archive("wide", format=("|S3", [], b"csr"), **{**MATRIX, "shape": ("<i8", [2], [2, 3])})
archive("flat", format=("|S3", [], b"coo"), data=("<f4", [2], [1.0, 1.0]), row=("<i4", [2], [0, 1]), col=("<i4", [1], [1]), shape=("<i8", [2], [2, 2]))
archive("far", edge_index=("<i8", [2, 1], [0, 7]), x=X)
archive("transposed", edge_index=("<i8", [3, 2], [0, 1, 1, 2, 2, 0]))
archive("none", x=X, y=Y)
archive("mask", edge_index=INDEX, y=Y, train_mask=("<i8", [4], [0, 3, 1, 0]))
archive("bools", edge_index=("|b1", [2, 1], [0, 1]), x=X)
archive("labels", edge_index=INDEX, y=("<f4", [4], [0.5, float("nan"), 1.0, 2.0]))
archive("huge", edge_index=INDEX, num_nodes=("<i8", [], [2000000000]))
archive("overlap", edge_index=INDEX, y=Y, train_idx=("<i8", [3], [0, 3, 1]), test_idx=("<i8", [2], [1, 0]), val_idx=("<i8", [1], [2]))
archive("hot", edge_index=INDEX, y=("<f4", [4, 2], [1, 0, 0, 1, 1, 0, 1, 0]))
archive("whole", edge_index=INDEX, y=("<f4", [4], [0, 1, 1, 2]))
archive("real", edge_index=INDEX, y=("<f4", [4], [0, 1, 1, 2.5]))
archive("short", edge_index=INDEX, y=Y, train_mask=("|b1", [3], [0, 1, 1]))
