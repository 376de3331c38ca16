// Columns of a record as they travel inside a page: each component of a column is one series over the rows, its bytes
// sorted into planes (all first bytes, all second bytes, ...), each plane as differences to the row before by exclusive
// or. Smooth series become long runs of zeros, which deflate removes.

export type ValueType = 'f64' | 'f32' | 'i32' | 'u8';
export type Series = Float64Array | Float32Array | Int32Array | Uint8Array;

export interface ColumnInfo {
  name: string;   // as in the HDF5 record, e.g. "contact/depth"
  unit: string;
  width: number;  // components of one row
  rows: number;
  type: ValueType;
}

export interface Chunk {
  columns: ColumnInfo[];
  encoding: 'deflate' | 'raw';
  data: string;   // base64
}

const kBytes: Record<ValueType, number> = {f64: 8, f32: 4, i32: 4, u8: 1};

function makeSeries(type: ValueType, rows: number): Series {
  switch (type) {
    case 'f64': return new Float64Array(rows);
    case 'f32': return new Float32Array(rows);
    case 'i32': return new Int32Array(rows);
    case 'u8': return new Uint8Array(rows);
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

// One series from its byte planes (little-endian, lowest byte first).
export function decodeSeries(planes: Uint8Array, type: ValueType, rows: number): Series {
  const series = makeSeries(type, rows);
  const out = new Uint8Array(series.buffer);
  const size = kBytes[type];
  for (let plane = 0; plane < size; ++plane) {
    let last = 0;
    for (let row = 0, from = plane * rows, to = plane; row < rows; ++row, to += size) {
      last ^= planes[from + row];
      out[to] = last;
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
    return series.length === this.rows ? series : series.subarray(0, this.rows) as Series;
  }

  at(row: number, index = 0): number { return this.series[index][row]; }

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
    const length = kBytes[info.type] * info.rows;
    const series: Series[] = [];
    for (let i = 0; i < info.width; ++i, offset += length) {
      if (offset + length > bytes.length) throw new Error(`the data of the page end within ${info.name}`);
      series.push(decodeSeries(bytes.subarray(offset, offset + length), info.type, info.rows));
    }
    columns.set(info.name, new Column(info, series));
  }
  if (offset !== bytes.length) throw new Error(`the data of the page have ${bytes.length - offset} bytes too many`);
  return columns;
}

export async function decodeChunk(chunk: Chunk): Promise<Map<string, Column>> {
  const bytes = decodeBase64(chunk.data);
  return splitColumns(chunk.encoding === 'deflate' ? await inflate(bytes) : bytes, chunk.columns);
}
