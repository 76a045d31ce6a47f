/**
 * Draws icon.svg in all sizes that the packages need: PNG files for Linux, an .ico file for Windows, an .icns file for macOS. After
 * changing the drawing, run this program manually with Electron: `electron resources/package/icons/draw.mjs`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { app, BrowserWindow } from 'electron';

const here = dirname(fileURLToPath(import.meta.url));

const LINUX = [16, 24, 32, 48, 64, 128, 256, 512];
const WINDOWS = [16, 24, 32, 48, 64, 128, 256];
/** The image types in an .icns file, each with the size of its PNG. High-resolution (@2x) images have other types. */
const MAC = [
  ['icp4', 16],
  ['icp5', 32],
  ['ic07', 128],
  ['ic08', 256],
  ['ic09', 512],
  ['ic10', 1024],
];

// Must not be awaited, because Electron is ready only after its entry module has been loaded.
void app.whenReady().then(drawAll);

const drawn = new Map();

async function drawAll() {
  const window = new BrowserWindow({ show: false, webPreferences: { offscreen: true } });
  await window.loadURL('data:text/html,<canvas></canvas>');
  const sizes = new Set([...LINUX, ...WINDOWS, ...MAC.map(([, size]) => size)]);
  for (const size of sizes) drawn.set(size, await png(window, size));
  for (const size of LINUX) writeFileSync(join(here, `${size}x${size}.png`), drawn.get(size));
  writeFileSync(join(here, 'icon.ico'), ico(WINDOWS));
  writeFileSync(join(here, 'icon.icns'), icns(MAC));
  app.quit();
}

async function png(window, size) {
  const svg = readFileSync(join(here, 'icon.svg'), 'utf8').replace('<svg ', '<svg width="1024" height="1024" ');
  const address = await window.webContents.executeJavaScript(`new Promise((resolve, reject) => {
    const image = new Image();
    image.onerror = reject;
    image.onload = () => {
      const canvas = document.querySelector('canvas');
      canvas.width = canvas.height = ${size};
      canvas.getContext('2d').drawImage(image, 0, 0, ${size}, ${size});
      resolve(canvas.toDataURL('image/png'));
    };
    image.src = 'data:image/svg+xml,' + encodeURIComponent(${JSON.stringify(svg)});
  })`);
  return Buffer.from(address.split(',')[1], 'base64');
}

/** Returns a Windows icon file. It is a directory of PNG images, which Windows Vista and later versions can read. */
function ico(wanted) {
  const head = Buffer.alloc(6 + 16 * wanted.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(wanted.length, 4);
  let offset = head.length;
  for (const [index, size] of wanted.entries()) {
    const at = 6 + 16 * index;
    head.writeUInt8(size % 256, at); // 0 means 256
    head.writeUInt8(size % 256, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(drawn.get(size).length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += drawn.get(size).length;
  }
  return Buffer.concat([head, ...wanted.map((size) => drawn.get(size))]);
}

/** Returns a macOS icon file. It consists of chunks, each with a type, a length, and a PNG image. */
function icns(types) {
  const chunks = types.map(([type, size]) => chunk(type, drawn.get(size)));
  return chunk('icns', Buffer.concat(chunks));
}

function chunk(type, content) {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32BE(8 + content.length, 4);
  return Buffer.concat([head, content]);
}
