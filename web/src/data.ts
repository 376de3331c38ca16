// Columns of a record as they travel inside a page (src/abut/serve/page_chunk.hpp): each component of a column is one
// series over the rows, coded as what a predictor leaves of each value, its bytes sorted into planes.
// r40: the upper 40 bits of a double; r24: the upper 24 bits of a float; i32, u8: whole numbers.

export type ValueType = 'r40' | 'r24' | 'i32' | 'u8';
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

const kBytes: Record<ValueType, number> = {r40: 5, r24: 3, i32: 4, u8: 1};

function makeSeries(type: ValueType, rows: number): Series {
  switch (type) {
    case 'r40':
      return new Float64Array(rows);
    case 'r24':
      return new Float32Array(rows);
    case 'i32':
      return new Int32Array(rows);
    case 'u8':
      return new Uint8Array(rows);
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

// One series from the order of its predictor and its byte planes. Codes have at most 40 bits, so that all arithmetic on
// them is exact in a double.
export function decodeSeries(bytes: Uint8Array, type: ValueType, rows: number): Series {
  const series = makeSeries(type, rows);
  const size = kBytes[type],
    modulus = 2 ** (8 * size);
  const order = bytes[0];
  const words = type === 'u8' ? new Uint32Array(0) : new Uint32Array(series.buffer);
  let last = 0,
    before = 0;
  for (let row = 0; row < rows; ++row) {
    let rest = 0;
    for (let plane = size - 1; plane >= 0; --plane) rest = rest * 256 + bytes[1 + plane * rows + row];
    const change = rest % 2 ? -(rest + 1) / 2 : rest / 2;
    const guess = order === 0 ? 0 : order === 1 ? last : 2 * last - before;
    const code = (((guess + change) % modulus) + modulus) % modulus;
    before = row === 0 ? code : last;
    last = code;
    if (type === 'r40') {
      words[2 * row] = (code % 256) * 0x1000000;
      words[2 * row + 1] = Math.floor(code / 256);
    } else if (type === 'r24') {
      words[row] = code * 256;
    } else {
      series[row] = type === 'i32' ? code | 0 : code;
    }
  }
  return series;
}

// A column that can grow: a live run appends to it.
export class Column {
  readonly info: ColumnInfo;
  rows = 0;
  private series: Series[];

  constructor(info: ColumnInfo, series: Series[]) {
    this.info = {...info};
    this.series = series;
    this.rows = info.rows;
  }

  // All rows of one component.
  component(index: number): Series {
    const series = this.series[index];
    return series.length === this.rows ? series : (series.subarray(0, this.rows) as Series);
  }

  at(row: number, index = 0): number {
    return this.series[index][row];
  }

  // Row i goes to order[i].
  permute(order: number[]): void {
    this.series = this.series.map((from) => {
      const to = makeSeries(this.info.type, from.length);
      order.forEach((row, i) => {
        to[row] = from[i];
      });
      return to;
    });
  }

  append(other: Column): void {
    const needed = this.rows + other.rows;
    for (let i = 0; i < this.series.length; ++i) {
      if (this.series[i].length < needed) {
        const grown = makeSeries(this.info.type, Math.max(needed, 2 * this.series[i].length, 256));
        grown.set(this.component(i));
        this.series[i] = grown;
      }
      this.series[i].set(other.component(i), this.rows);
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
    const series: Series[] = [];
    for (let i = 0; i < info.width; ++i, offset += length) {
      if (offset + length > bytes.length) throw new Error(`the data of the page end within ${info.name}`);
      series.push(decodeSeries(bytes.subarray(offset, offset + length), info.type, info.rows));
    }
    columns.set(info.name, new Column(info, series));
  }
  restoreContactRows(columns);
  if (offset !== bytes.length) throw new Error(`the data of the page have ${bytes.length - offset} bytes too many`);
  return columns;
}

const kContactKeys = ['contact/row_start', 'contact/body_a', 'contact/body_b', 'contact/patch'];

// Rows of contacts travel contact by contact; back to the order of the record.
function restoreContactRows(columns: Map<string, Column>): void {
  const [, a, b, patch] = kContactKeys.map((name) => columns.get(name));
  if (!a || !b || !patch) return;
  const order = Array.from({length: a.rows}, (_, row) => row).sort(
    (x, y) => a.at(x) - a.at(y) || b.at(x) - b.at(y) || patch.at(x) - patch.at(y) || x - y,
  );
  for (const [name, column] of columns) {
    if (name.startsWith('contact/') && !kContactKeys.includes(name)) column.permute(order);
  }
}

export async function decodeChunk(chunk: Chunk): Promise<Map<string, Column>> {
  const bytes = decodeBase64(chunk.data);
  return splitColumns(chunk.encoding === 'deflate' ? await inflate(bytes) : bytes, chunk.columns);
}
