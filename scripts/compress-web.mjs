import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

const compressible = /\.(?:html|js|css|json|map|svg|txt|xml|webmanifest|ico|ttf|wasm)$/
const worthCompressing = 1024

/** Writes `.br` and `.gz` beside each file that gets smaller. */
export const compressWeb = (folder) => {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !compressible.test(entry.name)) continue
    const file = join(entry.parentPath, entry.name)
    const bytes = readFileSync(file)
    if (bytes.length <= worthCompressing) continue
    writeFileSync(`${file}.br`, brotliCompressSync(bytes))
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
  }
}
