"""Files of GraphML, most of them wrong: graphml.py FOLDER"""
import pathlib
import sys

KEYS = """<key id="k" for="node" attr.name="age" attr.type="int"><default>30</default></key>
<key id="l" for="node" attr.name="age" attr.type="double"/>
<key id="t" for="node" attr.name="plan" attr.type="string"/>
<key id="w" for="edge" attr.name="weight" attr.type="float"/>
<key id="d" for="all" yfiles.type="nodegraphics"/>
"""
NODES = """<node id="a"><data key="k">20</data><data key="t">1</data><data key="d"><y:Shape>box<y:Fill/></y:Shape></data></node>
<node id="b"><data key="l">40.5</data><desc>who</desc><port name="p"/></node>
<node id="c"><data key="t"><![CDATA[<2>]]></data></node>
"""
EDGES = """<edge source="a" target="b"><data key="w">1</data></edge>
<edge source="b" target="c" directed="false"><data key="w">2</data></edge>
<edge source="c" target="c" directed="false"><data key="w">3</data></edge>
"""


def file(name, keys=KEYS, nodes=NODES, edges=EDGES, before="", graph="<graph>", behind="</graph></graphml>"):
    text = f'<?xml version="1.0"?>\n{before}<graphml xmlns:y="urn:y">\n{keys}{graph}\n{nodes}{edges}{behind}'
    (pathlib.Path(sys.argv[1]) / f"{name}.graphml").write_text(text)


file("right")
file("both", graph='<graph edgedefault="undirected">')
BOMB = '<!DOCTYPE g [<!ENTITY a "ha">' + "".join(f'<!ENTITY {chr(98 + i)} "{f"&{chr(97 + i)};" * 10}">' for i in range(9)) + "]>\n"
file("bomb", before=BOMB, nodes='<node id="&j;"/>')
file("entity", nodes='<node id="&j;"/>')
file("cut", behind="")
file("deep", nodes="<node id='a'>" + "<x>" * 200)
file("long", nodes=f'<node id="{"a" * 3000000}"/>')
file("value", nodes=f'<node id="a"><data key="t">{"a " * 1000000}</data></node>')
file("number", nodes='<node id="a"/>\n<node id="b"><data key="k">old</data></node>')
file("twice", nodes='<node id="a"><data key="t">1</data>\n<data key="t">1</data></node>')
file("key", nodes='<node id="a"><data key="z">1</data></node>')
file("type", keys='<key id="k" for="node" attr.type="date"/>\n')
file("keys", keys=KEYS + '<key id="k" for="edge"/>\n')
file("many", keys="".join(f'<key id="k{i}" for="node"/>\n' for i in range(1001)))
file("late", behind='</graph><key id="z"/></graphml>')
file("hyper", edges='<hyperedge/>')
file("nested", nodes='<node id="a"><graph/></node>')
file("second", behind="</graph><graph/></graphml>")
file("nameless", nodes="<node/>")
file("ends", edges='<edge source="a"/>')
file("stranger", edges='<edge source="a" target="zed"/>')
file("way", edges='<edge source="a" target="b" directed="no"/>')
file("default", graph='<graph edgedefault="both">')
(pathlib.Path(sys.argv[1]) / "other.graphml").write_text("<?xml version='1.0'?>\n<html/>")
(pathlib.Path(sys.argv[1]) / "drawing.svg").write_text("<svg/>")
file("booleans", keys='<key id="b" for="node" attr.type="boolean"/>\n', nodes="".join(
    f'<node id="n{i}"><data key="b">{b}</data></node>' for i, b in enumerate(["True", "FALSE", "true", "0", "1"])), edges="")
file("boolean", keys='<key id="b" for="node" attr.type="boolean"/>\n', nodes='<node id="a"><data key="b">true</data></node>\n<node id="c"><data key="b">yes</data></node>')
(pathlib.Path(sys.argv[1]) / "wide.graphml").write_text("<graphml><graph edgedefault='directed'><node id='é'/></graph></graphml>", "utf-16")
(pathlib.Path(sys.argv[1]) / "none.graphml").write_text("<graphml/>")
