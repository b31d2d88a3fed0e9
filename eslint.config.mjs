import jupyter from '@jupyter/eslint-plugin';
import prettier from 'eslint-config-prettier';
import { createNodeResolver, importX } from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

/** Every rule of a shared set that only warns, as an error: a warning nobody has to mend is noise. */
const asErrors = rules =>
  Object.fromEntries(
    Object.entries(rules).map(([name, level]) => [
      name,
      level === 'warn' ? 'error' : level
    ])
  );

const jupyterRules = jupyter.configs.recommended.map(config => ({
  ...config,
  plugins: { ...config.plugins, jupyter },
  rules: asErrors(config.rules ?? {})
}));

/** Which part may know which: arrows only run plugins -> views -> model -> wire. */
const zones = [
  {
    target: './src/wire',
    from: './src',
    except: ['./wire'],
    message: 'The wire layer knows nothing but itself.'
  },
  {
    target: ['./src/components', './src/words'],
    from: ['./src/api.ts', './src/plugins', './src/dialogs.tsx'],
    message: 'Components and words get what they show by their arguments.'
  },
  {
    target: ['./src/words', './src/shares.ts', './src/holdings.ts'],
    from: './src/components',
    message: 'What is said does not depend on where it is shown.'
  },
  {
    target: ['./src/!(index).ts', './src/*.tsx', './src/!(plugins)/**'],
    from: './src/plugins',
    message: 'Plugins bind the parts together; no part knows a plugin.'
  }
];

export default tseslint.config(
  {
    ignores: [
      'node_modules',
      '**/node_modules',
      'lib',
      'coverage',
      '.venv*',
      'jupyterlab_gpumem',
      'src/wire/schema.ts',
      'ui-tests/test-results',
      'ui-tests/playwright-report'
    ]
  },
  ...jupyterRules,
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: {
        project: ['./tsconfig.test.json', './ui-tests/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname
      }
    },
    plugins: { 'import-x': importX },
    settings: {
      'import-x/resolver-next': [
        createNodeResolver({ extensions: ['.ts', '.tsx', '.js'] })
      ]
    },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/naming-convention': [
        'error',
        {
          selector: 'memberLike',
          modifiers: ['private'],
          format: ['camelCase'],
          leadingUnderscore: 'require'
        }
      ],
      'import-x/no-restricted-paths': ['error', { zones }],
      'import-x/no-cycle': 'error',
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'TSAsExpression:not([typeAnnotation.typeName.name="const"])',
          message: 'Check the value instead: casts hide what may be wrong.'
        }
      ],
      // Signals are connected as `connect(this._onChanged, this)`, JupyterLab's way.
      '@typescript-eslint/unbound-method': 'off',
      // `Model.IOptions` and `Model.State` are JupyterLab's way of naming the types of a class.
      '@typescript-eslint/no-namespace': 'off',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_' }
      ],
      eqeqeq: 'error',
      curly: 'error'
    }
  },
  {
    files: ['src/**'],
    ignores: ['**/__tests__/**'],
    rules: {
      'max-lines': ['error', 250],
      'max-lines-per-function': [
        'error',
        { max: 40, skipBlankLines: true, skipComments: true }
      ]
    }
  },
  {
    files: ['src/plugins/*'],
    rules: {
      // Needed at once: the model's source, the restored panel, the status bar, whether a command is enabled.
      'jupyter/prefer-lazy-imports': [
        'error',
        {
          ignoreImports: [
            '../api',
            '../history',
            '../holders',
            '../model',
            '../oom',
            '../panel',
            '../target',
            '../components/status-item'
          ]
        }
      ]
    }
  },
  prettier
);
