// The page's build: as few files as possible, named by their content, no inline code or styles.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: '../src/web/page',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // data: addresses would have to be allowed by the content security policy.
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
    rollupOptions: {
      output: {
        entryFileNames: 'assets/page-[hash].js',
        chunkFileNames: 'assets/[name]-[hash].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
      },
    },
  },
  resolve: process.env['VITEST'] ? { conditions: ['browser'] } : {},
  test: { environment: 'node', include: ['src/**/*.test.ts'] },
});
