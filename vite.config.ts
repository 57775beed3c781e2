import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import type { Plugin } from 'vite'

/**
 * The router names its components at module level, which keeps all of them in the build although most are unused.
 * Without the names the unused ones fall away (4 kB of the parent's first load).
 */
const onlyUsedRouterParts = (): Plugin => ({
  name: 'only-used-router-parts',
  apply: 'build',
  transform: (code, id) =>
    id.includes('react-router/dist')
      ? code
          .replace(/^\w+\.displayName = .*$/gm, '')
          .replace(/= (React\d*\.(?:forwardRef|createContext|memo)\()/g, '= /* @__PURE__ */ $1')
      : undefined,
})

export default defineConfig({
  root: 'web',
  plugins: [react(), tailwindcss(), onlyUsedRouterParts()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    // Inlined files would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    port: 5173,
    proxy: { '/api': 'http://127.0.0.1:3000', '/sandbox': 'http://127.0.0.1:3000' },
  },
})
