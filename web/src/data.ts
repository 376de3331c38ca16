// Columns of a record as they travel inside a page (src/abut/serve/page_chunk.hpp): each component of a column is one
// series over the rows, coded as what a predictor leaves of each value, its bytes sorted into planes.
// r64, r56, r48, r40: the upper bits of a double (r64 is the double itself); r32, r24: those of a float; i32, u8: whole
// numbers. A series is decoded when it is first asked for: a long run has many that nobody looks at.

export type ValueType = 'r64' | 'r56' | 'r48' | 'r40' | 'r32' | 'r24' | 'i32' | 'u8';
export type Series = Float64Array | Float32Array | Int32Array | Uint8Array;

export interface ColumnInfo {
  name: string; // as in the HDF5 record, e.g. "contact/depth"
  unit: string;
  width: number; // components of one row
  rows: number;
  type: ValueType;
}

export interface Chunk {
  columns: ColumnInfo[];
  encoding: 'deflate' | 'raw';
  data: string; // base64
}

const kBytes: Record<ValueType, number> = {r64: 8, r56: 7, r48: 6, r40: 5, r32: 4, r24: 3, i32: 4, u8: 1};

function makeSeries(type: ValueType, rows: number): Series {
  switch (type) {
    case 'r32':
    case 'r24':
      return new Float32Array(rows);
    case 'i32':
      return new Int32Array(rows);
    case 'u8':
      return new Uint8Array(rows);
    default:
      return new Float64Array(rows);
  }
}

export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.trim());
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// One series from the order of its predictor and its byte planes. Codes have up to 64 bits, kept as two words: every
// bit counts, and a double has but 53.
export function decodeSeries(bytes: Uint8Array, type: ValueType, rows: number): Series {
  const series = makeSeries(type, rows);
  const size = kBytes[type];
  const order = bytes[0];
  const isDouble = series instanceof Float64Array;
  const words = type === 'u8' ? new Uint32Array(0) : new Uint32Array(series.buffer);
  // Words of the code, the one before and the one before that: low and high.
  let lastLow = 0,
    lastHigh = 0,
    beforeLow = 0,
    beforeHigh = 0;
  const shift = 64 - 8 * size;
  const highMask = size === 8 ? 0xffffffff : size > 4 ? 2 ** (8 * (size - 4)) - 1 : 0;
  const lowMask = size >= 4 ? 0xffffffff : 2 ** (8 * size) - 1;
  for (let row = 0; row < rows; ++row) {
    let low = 0,
      high = 0;
    for (let plane = 0; plane < size; ++plane) {
      const byte = bytes[1 + plane * rows + row];
      if (plane < 4) low |= byte << (8 * plane);
      else high |= byte << (8 * (plane - 4));
    }
    const sign = -(low & 1);
    let codeLow = (((low >>> 1) | (high << 31)) ^ sign) >>> 0;
    let codeHigh = ((high >>> 1) ^ sign) >>> 0;
    if (order >= 1) {
      codeLow += order === 1 ? lastLow : 2 * lastLow - beforeLow;
      codeHigh += (order === 1 ? lastHigh : 2 * lastHigh - beforeHigh) + Math.floor(codeLow / 0x100000000);
    }
    codeLow = (codeLow & lowMask) >>> 0;
    codeHigh = (codeHigh & highMask) >>> 0;
    beforeLow = row === 0 ? codeLow : lastLow;
    beforeHigh = row === 0 ? codeHigh : lastHigh;
    lastLow = codeLow;
    lastHigh = codeHigh;
    if (isDouble) {
      words[2 * row] = codeLow << shift;
      words[2 * row + 1] = shift ? (codeHigh << shift) | (codeLow >>> (32 - shift)) : codeHigh;
    } else if (series instanceof Float32Array) {
      words[row] = type === 'r24' ? codeLow << 8 : codeLow;
    } else {
      series[row] = codeLow;
    }
  }
  return series;
}

// A column that can grow: a live run appends to it.
export class Column {
  readonly info: ColumnInfo;
  rows = 0;
  private readonly series: (Series | undefined)[];
  private order: Uint32Array | null = null;

  // `decode` makes a component when it is first asked for.
  constructor(
    info: ColumnInfo,
    private readonly decode: (component: number) => Series,
  ) {
    this.info = {...info};
    this.series = Array.from({length: info.width}, () => undefined);
    this.rows = info.rows;
  }

  private decoded(index: number): Series {
    return (this.series[index] ??= this.arrange(this.decode(index)));
  }

  // All rows of one component.
  component(index: number): Series {
    const series = this.decoded(index);
    return series.length === this.rows ? series : (series.subarray(0, this.rows) as Series);
  }

  at(row: number, index = 0): number {
    return (this.series[index] ?? this.decoded(index))[row];
  }

  // Row i of the data goes to order[i].
  permute(order: Uint32Array): void {
    this.order = order;
  }

  private arrange(from: Series): Series {
    if (!this.order) return from;
    const to = makeSeries(this.info.type, from.length);
    for (let i = 0; i < from.length; ++i) to[this.order[i]] = from[i];
    return to;
  }

  append(other: Column): void {
    const needed = this.rows + other.rows;
    for (let i = 0; i < this.series.length; ++i) {
      const own = this.decoded(i);
      if (own.length < needed) {
        const grown = makeSeries(this.info.type, Math.max(needed, 2 * own.length, 256));
        grown.set(this.component(i));
        this.series[i] = grown;
      }
      this.series[i]!.set(other.component(i), this.rows);
    }
    this.rows = needed;
    this.info.rows = needed;
  }
}

export function splitColumns(bytes: Uint8Array, infos: ColumnInfo[]): Map<string, Column> {
  const columns = new Map<string, Column>();
  let offset = 0;
  for (const info of infos) {
    const length = 1 + kBytes[info.type] * info.rows;
    const begin = offset;
    offset += info.width * length;
    if (offset > bytes.length) throw new Error(`the data of the page end within ${info.name}`);
    columns.set(
      info.name,
      new Column(info, (i) =>
        decodeSeries(bytes.subarray(begin + i * length, begin + (i + 1) * length), info.type, info.rows),
      ),
    );
  }
  restoreContactRows(columns);
  if (offset !== bytes.length) throw new Error(`the data of the page have ${bytes.length - offset} bytes too many`);
  return columns;
}

const kContactKeys = ['contact/row_start', 'contact/body_a', 'contact/body_b', 'contact/patch'];

// Rows of contacts travel contact by contact (by body_a, body_b, patch, otherwise as recorded); back to the order of the
// record.
function restoreContactRows(columns: Map<string, Column>): void {
  const [, a, b, patch] = kContactKeys.map((name) => columns.get(name));
  if (!a || !b || !patch) return;
  const groups = new Map<string, {key: number[]; rows: number[]}>();
  let last: {key: number[]; rows: number[]} | null = null;
  for (let row = 0; row < a.rows; ++row) {
    const key = [a.at(row), b.at(row), patch.at(row)];
    if (!last || key.some((k, i) => k !== last!.key[i])) {
      const name = key.join('/');
      last = groups.get(name) ?? {key, rows: []};
      groups.set(name, last);
    }
    last.rows.push(row);
  }
  const sorted = [...groups.values()].sort((x, y) => x.key[0] - y.key[0] || x.key[1] - y.key[1] || x.key[2] - y.key[2]);
  const order = new Uint32Array(a.rows);
  let next = 0;
  for (const group of sorted) for (const row of group.rows) order[next++] = row;
  for (const [name, column] of columns) {
    if (name.startsWith('contact/') && !kContactKeys.includes(name)) column.permute(order);
  }
}

export async function decodeChunk(chunk: Chunk): Promise<Map<string, Column>> {
  const bytes = decodeBase64(chunk.data);
  return splitColumns(chunk.encoding === 'deflate' ? await inflate(bytes) : bytes, chunk.columns);
}
