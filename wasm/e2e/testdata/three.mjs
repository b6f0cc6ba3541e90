// Reads a GLB and a PLY file with three.js, and prints what it found: faces, whether they are coloured, and every attribute's numbers.
import { readFileSync } from 'node:fs';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { PLYLoader } from 'three/addons/loaders/PLYLoader.js';

const bytes = (file) => new Uint8Array(readFileSync(file)).buffer;
const found = (geometry) => ({
  faces: geometry.index.count / 3,
  attributes: Object.fromEntries(Object.entries(geometry.attributes).map(([name, a]) => [name, Array.from(a.array)])),
});

const [glb, ply] = process.argv.slice(2);
const meshes = [];
(await new GLTFLoader().parseAsync(bytes(glb), '')).scene.traverse((o) => { if (o.isMesh) meshes.push(o); });
if (meshes.length !== 1 || !meshes[0].material.vertexColors) throw new Error(`${meshes.length} meshes, which must be one, with its vertices' colours`);

const reader = new PLYLoader();
reader.setCustomPropertyNameMapping({ _source: ['source'], _target: ['target'], _cell: ['cell'], _displacement: ['displacement_x', 'displacement_y', 'displacement_z'] });
console.log(JSON.stringify({ glb: found(meshes[0].geometry), ply: found(reader.parse(bytes(ply))) }));
