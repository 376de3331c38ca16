// The time that everything shows, and how it moves.

export const kSpeeds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 10, 50, 200, 1000];

export class Player {
  time = 0;
  playing = false;
  speed = 1;
  start = 0;
  end = 0;
  // Follows the head of a live run instead of playing by the clock.
  following = false;
  onTime: () => void = () => undefined;
  onState: () => void = () => undefined;
  private last = 0;

  seek(time: number): void {
    this.following = false;
    this.time = Math.min(this.end, Math.max(this.start, time));
    this.onTime();
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  play(): void {
    if (this.time >= this.end && !this.following) this.time = this.start;
    this.playing = true;
    this.last = 0;
    this.onState();
  }

  pause(): void {
    this.playing = false;
    this.onState();
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    this.onState();
  }

  changeSpeed(by: number): void {
    const nearest = kSpeeds.reduce(
      (best, s, i) => (Math.abs(Math.log(s / this.speed)) < Math.abs(Math.log(kSpeeds[best] / this.speed)) ? i : best),
      0,
    );
    this.setSpeed(kSpeeds[Math.min(kSpeeds.length - 1, Math.max(0, nearest + by))]);
  }

  // now: [ms]. True when the time has changed.
  tick(now: number): boolean {
    const elapsed = this.last ? Math.min(0.25, (now - this.last) / 1000) : 0;
    this.last = now;
    if (this.following) {
      if (this.time === this.end) return false;
      this.time = this.end;
      return true;
    }
    if (!this.playing || elapsed === 0) return false;
    this.time = Math.min(this.end, this.time + elapsed * this.speed);
    if (this.time >= this.end) this.pause();
    return true;
  }
}
