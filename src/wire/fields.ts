import type { Members } from './members';

/**
 * A value from the network is not what the contract says.
 */
export class WireError extends Error {
  constructor(path: string, expected: string) {
    super(`${path || 'body'}: expected ${expected}`);
    this.name = 'WireError';
    this.path = path;
  }

  /**
   * Where, as in `devices[0].memory.total_bytes`.
   */
  readonly path: string;
}

/**
 * Reads the fields of one JSON object and says where a wrong one is.
 */
export class Fields {
  constructor(value: unknown, path: string) {
    if (!isRecord(value)) {
      throw new WireError(path, 'object');
    }
    this._record = value;
    this._path = path;
  }

  /**
   * The value as it came, for what has to be looked at before the shape is known.
   */
  raw(name: string): unknown {
    return this._record[name];
  }

  string(name: string): string {
    const value = this._record[name];
    if (typeof value !== 'string') {
      throw this._wrong(name, 'string');
    }
    return value;
  }

  stringOrNull(name: string): string | null {
    const value = this._record[name];
    if (value !== null && typeof value !== 'string') {
      throw this._wrong(name, 'string or null');
    }
    return value;
  }

  boolean(name: string): boolean {
    const value = this._record[name];
    if (typeof value !== 'boolean') {
      throw this._wrong(name, 'boolean');
    }
    return value;
  }

  booleanOrNull(name: string): boolean | null {
    return this._record[name] === null ? null : this.boolean(name);
  }

  integer(name: string): number {
    const value = this._record[name];
    if (!isInteger(value)) {
      throw this._wrong(name, 'integer');
    }
    return value;
  }

  integerOrNull(name: string): number | null {
    const value = this._record[name];
    if (value !== null && !isInteger(value)) {
      throw this._wrong(name, 'integer or null');
    }
    return value;
  }

  numberOrNull(name: string): number | null {
    const value = this._record[name];
    if (value !== null && !(typeof value === 'number' && isFinite(value))) {
      throw this._wrong(name, 'number or null');
    }
    return value;
  }

  /**
   * A size: an integer that is not negative, or null.
   */
  bytes(name: string): number | null {
    const value = this._record[name];
    if (value !== null && !(isInteger(value) && value >= 0)) {
      throw this._wrong(name, 'size in bytes or null');
    }
    return value;
  }

  constant<T extends number>(name: string, expected: T): T {
    if (this._record[name] !== expected) {
      throw this._wrong(name, String(expected));
    }
    return expected;
  }

  oneOf<T extends string>(name: string, members: Members<T>): T {
    const value = this._record[name];
    if (typeof value !== 'string' || !isMember(value, members)) {
      throw this._wrong(name, Object.keys(members).join(', '));
    }
    return value;
  }

  oneOfOrNull<T extends string>(name: string, members: Members<T>): T | null {
    return this._record[name] === null ? null : this.oneOf(name, members);
  }

  object<T>(name: string, read: (fields: Fields) => T): T {
    return read(new Fields(this._record[name], this._at(name)));
  }

  objectOrNull<T>(name: string, read: (fields: Fields) => T): T | null {
    return this._record[name] === null ? null : this.object(name, read);
  }

  list<T>(name: string, read: (fields: Fields) => T): T[] {
    return this._items(name).map((item, index) =>
      read(new Fields(item, `${this._at(name)}[${index}]`))
    );
  }

  listOrNull<T>(name: string, read: (fields: Fields) => T): T[] | null {
    return this._record[name] === null ? null : this.list(name, read);
  }

  strings(name: string): string[] {
    return this._items(name).map((item, index) => {
      if (typeof item !== 'string') {
        throw new WireError(`${this._at(name)}[${index}]`, 'string');
      }
      return item;
    });
  }

  integers(name: string): number[] {
    return this._items(name).map((item, index) => {
      if (!isInteger(item)) {
        throw new WireError(`${this._at(name)}[${index}]`, 'integer');
      }
      return item;
    });
  }

  /**
   * Points of a series: a time, and sizes that may be unknown.
   */
  points(name: string, width: number): (number | null)[][] {
    return this._items(name).map((item, index) => {
      const path = `${this._at(name)}[${index}]`;
      if (!Array.isArray(item) || item.length !== width) {
        throw new WireError(path, `${width} numbers`);
      }
      return item.map((value: unknown, column) => {
        if (!isInteger(value) && (value !== null || column === 0)) {
          throw new WireError(`${path}[${column}]`, 'integer or null');
        }
        return value;
      });
    });
  }

  /**
   * A list of which a bad entry is left out, and what is wrong with it put into `problems`.
   */
  goodOf<T>(
    name: string,
    read: (fields: Fields) => T,
    problems: string[]
  ): T[] {
    return this._items(name).flatMap((item, index) => {
      try {
        return [read(new Fields(item, `${this._at(name)}[${index}]`))];
      } catch (error) {
        if (!(error instanceof WireError)) {
          throw error;
        }
        problems.push(error.message);
        return [];
      }
    });
  }

  private _items(name: string): unknown[] {
    const value = this._record[name];
    if (!Array.isArray(value)) {
      throw this._wrong(name, 'array');
    }
    return value;
  }

  private _at(name: string): string {
    return this._path ? `${this._path}.${name}` : name;
  }

  private _wrong(name: string, expected: string): WireError {
    return new WireError(this._at(name), expected);
  }

  private readonly _record: Readonly<Record<string, unknown>>;
  private readonly _path: string;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function isMember<T extends string>(
  value: string,
  members: Members<T>
): value is T {
  return Object.hasOwn(members, value);
}
