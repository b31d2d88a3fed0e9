const shared = require('@jupyterlab/testutils/lib/jest-config');
const { compilerOptions } = require('./tsconfig.json');

// Packages that are published as ES modules only.
const esModules = [
  '@codemirror',
  '@jupyter',
  '@jupyterlab',
  '@lumino',
  '@microsoft',
  '@rjsf',
  'exenv-es6',
  'lib0',
  'nanoid',
  'vscode-ws-jsonrpc',
  'y-protocols',
  'yjs'
];

const { coverageDirectory, coverageReporters, testTimeout, ...base } =
  shared(__dirname);

const project = {
  ...base,
  // The default is the whole folder, with all that is installed in a virtual environment.
  roots: ['<rootDir>/src'],
  transform: {
    ...base.transform,
    '^.+\\.tsx?$': [
      'ts-jest/legacy',
      {
        // Types are the business of `jlpm types:test`; jest runs CommonJS, which the last two do not go with.
        tsconfig: {
          ...compilerOptions,
          isolatedModules: true,
          module: 'commonjs',
          moduleResolution: 'node10',
          verbatimModuleSyntax: false
        }
      }
    ]
  },
  transformIgnorePatterns: [`/node_modules/(?!${esModules.join('|')}).+`]
};
delete project.reporters;

module.exports = {
  coverageDirectory,
  reporters: ['default', '<rootDir>/scripts/counts-reporter.cjs'],
  testTimeout,
  projects: [
    {
      ...project,
      displayName: 'plain',
      setupFiles: [],
      testEnvironment: 'node',
      testRegex: 'src/__tests__/[^/]+\\.spec\\.ts$'
    },
    {
      ...project,
      displayName: 'dom',
      testRegex: 'src/__tests__/dom/.+\\.spec\\.tsx?$'
    }
  ]
};
