import { defineConfig } from '@playwright/test';

// Chosen free by scripts/browser-tests. The file is read once per worker, so it cannot choose one itself.
const port = process.env.GPUMEM_PORT ?? '8765';

export default defineConfig({
  testDir: 'tests',
  workers: 1,
  retries: 0,
  reportSlowTests: null,
  forbidOnly: true,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['./closing-line.ts']],
  use: {
    actionTimeout: 15_000,
    baseURL: `http://127.0.0.1:${port}`,
    viewport: { width: 1280, height: 800 },
    // Video needs a download of Playwright's own.
    video: 'off',
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync'
      ]
    }
  },
  webServer: {
    command: `jupyter lab --config jupyter_server_test_config.py --ServerApp.port=${port} > .scratch/server.log 2>&1`,
    url: `http://127.0.0.1:${port}/lab`,
    timeout: 120_000,
    reuseExistingServer: false,
    // Otherwise the server may outlive the run.
    gracefulShutdown: { signal: 'SIGTERM', timeout: 5000 },
    env: { JUPYTERLAB_GPUMEM_SIMULATE: '1x24GiB' }
  }
});
