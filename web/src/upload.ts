/** Uploads for the server: chosen files, their names, and the requests. */

/** A response under its display name. */
export interface ChosenFile {
  readonly name: string;
  readonly file: File;
}

export interface UploadLimits {
  readonly file: number;
  readonly responses: number;
}

export interface Job {
  readonly job: string;
  readonly state: "waiting" | "scoring" | "done" | "failed";
  readonly ahead?: number;
  readonly run?: number;
  readonly report?: string;
  readonly error?: string;
}

/** Remove the suffixes of a file name: `careful.conll.gz` becomes `careful`. */
export function removeSuffix(file: string): string {
  return file.replace(/\.gz$/i, "").replace(/\.[^.]{1,10}$/, "") || file;
}

/** Append a number to a name that is taken. */
export function makeUnique(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number++) {
    const numbered = `${name} (${number})`;
    if (!taken.has(numbered)) return numbered;
  }
}

/** Return the reason why files cannot be uploaded, or an empty string. */
export function findProblem(
  hasKey: boolean,
  files: readonly { name: string; size: number }[],
  names: readonly string[],
  limits: UploadLimits,
): string {
  if (!hasKey) return "Choose a key: the file with the gold annotation.";
  if (!names.length) return "Choose one or more responses: the output of your systems.";
  if (names.length > limits.responses) {
    return `${names.length} responses are chosen, expected ${limits.responses} at most.`;
  }
  const large = files.find((file) => file.size > limits.file);
  if (large) {
    return `${large.name} has ${formatSize(large.size)}, expected ${formatSize(limits.file)} at most.`;
  }
  const duplicate = names.find((name, at) => names.indexOf(name) !== at);
  if (duplicate !== undefined)
    return `Two responses are named ${duplicate}: rename one.`;
  if (names.some((name) => !name.trim())) return "A response has no name.";
  return "";
}

/** Format a number of bytes as the server does. */
export function formatSize(size: number): string {
  const units: [number, string][] = [
    [2 ** 30, "GB"],
    [2 ** 20, "MB"],
    [2 ** 10, "KB"],
  ];
  for (const [unit, name] of units) {
    if (size >= unit) return `${(size / unit).toFixed(1).replace(/\.0$/, "")} ${name}`;
  }
  return `${size} bytes`;
}

const FIRST_WAIT_MS = 200;
const MAX_WAIT_MS = 2000;
const NO_ANSWER = "The server does not answer. Is it still running?";

/** Sends requests; every failure is an Error with a message for people. */
export class Client {
  constructor(private readonly home: string) {}

  addRun(form: FormData): Promise<Job> {
    return this.request("POST", "runs", form);
  }

  addExample(): Promise<Job> {
    return this.request("POST", "example");
  }

  async remove(address: string): Promise<void> {
    await this.request("DELETE", address);
  }

  /** Wait until a job is done and report its state on the way. */
  async wait(job: Job, report: (job: Job) => void): Promise<Job> {
    let current = job;
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(MAX_WAIT_MS, wait * 1.3)) {
      report(current);
      if (current.state === "done") return current;
      if (current.state === "failed") throw new Error(current.error);
      await new Promise((resolve) => setTimeout(resolve, wait));
      current = await this.request("GET", `jobs/${current.job}`);
    }
  }

  private async request<Answer>(
    method: string,
    address: string,
    body: BodyInit | null = null,
  ): Promise<Answer> {
    let response: Response;
    try {
      response = await fetch(this.home + address, { method, body });
    } catch {
      throw new Error(NO_ANSWER);
    }
    const answer = await response.json().catch(() => ({}));
    if (!response.ok) {
      throw new Error(answer.error ?? `The server answers ${response.status}.`);
    }
    return answer as Answer;
  }
}

export function describeState(job: Job): string {
  switch (job.state) {
    case "waiting":
      return job.ahead ? `Waiting: ${job.ahead} before this one.` : "Waiting.";
    case "scoring":
      return "Scoring, comparing, analysing errors.";
    default:
      return "Done.";
  }
}
