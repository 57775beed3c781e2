import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// The Host stays that of the page: the server takes changes only from its own origin.
const service = { target: 'http://127.0.0.1:3000', changeOrigin: false }

const ofForms = /hook-?form|ui\/form(?:-dialog)?\.tsx/

export default defineConfig({
  root: 'web',
  plugins: [react(), tailwindcss()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // The README says the same of each.
    target: ['chrome111', 'edge111', 'firefox128', 'safari16.4', 'ios16.4'],
    // Inlined files would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    // What many screens need is one file: a phone's slow line pays a round trip for each. A family's first screen has no form.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'shared', minShareCount: 13, test: (id) => !ofForms.test(id), priority: 1 },
            { name: 'forms', test: ofForms },
          ],
        },
      },
    },
  },
  server: { port: 5173, proxy: { '/api': service, '/pictures': service, '/sandbox': service } },
})
