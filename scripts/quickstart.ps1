# From a fresh checkout to a first result on Windows. scripts/quickstart.sh does the same on Linux.
$program = 'quickstart.ps1'
. (Join-Path $PSScriptRoot 'lib.ps1')

$usage = @'
Usage: scripts\quickstart.ps1 [OPTION]...
Builds isobench (vcpkg brings the libraries) and runs a short file IO suite: about half a minute, 256 MiB of test
files. Says what is missing and how to get it when the tools are not there.

  --dir=DIR      measure the volume that DIR is on; DIR must exist (default: the build folder)
  --out=DIR      leave the results there as JSON (default: build\quickstart)
  --seconds=N    length of each of the five jobs (default: 4)
  --help         this text

Test files go into a new folder of their own, which is removed at the end. Running it again is safe.
'@

$options = @{
    '--dir' = Join-Path $root 'build'
    '--out' = Join-Path $root 'build\quickstart'
    '--seconds' = '4'
}

function Set-Option([string]$name, [string]$value) {
    if (-not $options.ContainsKey($name)) {
        Stop-Usage "unknown option $name"
    }
    if ($value -eq '') {
        Stop-Usage "$name needs a value"
    }
    if ($name -eq '--dir' -and -not (Test-Path -PathType Container -LiteralPath $value)) {
        Stop-Usage "--dir: $value is not a directory"
    }
    if ($name -eq '--seconds' -and ($value -notmatch '^[0-9]{1,5}$' -or [int]$value -eq 0)) {
        Stop-Usage "--seconds must be a whole number from 1 to 99999, not $value"
    }
    $options[$name] = $value
}

function Read-Options([string[]]$words) {
    $i = 0
    while ($i -lt $words.Count) {
        $name, $value = $words[$i] -split '=', 2
        if ($name -eq '--help' -or $name -eq '-h') {
            Write-Host $usage
            exit 0
        }
        if ($null -eq $value -and $options.ContainsKey($name) -and $i + 1 -lt $words.Count) {
            $i += 1
            $value = $words[$i]
        }
        Set-Option $name $value
        $i += 1
    }
}

function Invoke-Fileio([string[]]$arguments) {
    & $isobench fileio @arguments "--dir=$scratch" '--files=4' '--total-size=256M' | Out-Host
    return $LASTEXITCODE -eq 0
}

# Runs a job, prints the result, leaves NAME.json.
function Invoke-Job([string]$name, [string]$title, [string[]]$arguments) {
    Write-Host ''
    Say $title
    $seconds = $options['--seconds']
    $json = Join-Path $out "$name.json"
    if (-not (Invoke-Fileio (@('run') + $arguments + @("--time=$seconds", "--json=$json")))) {
        $script:failed += $name
    }
}

function Invoke-Oltp([string[]]$arguments) {
    $file = Join-Path $scratch 'quickstart.sqlite'
    & $isobench oltp @arguments "--db-file=$file" '--table-size=20000' | Out-Host
    return $LASTEXITCODE -eq 0
}

# On SQLite, which is a part of the program: no server is needed.
function Invoke-Database {
    Write-Host ''
    Say 'a table of 20000 rows in SQLite, and transactions of 20 statements, each durable'
    $seconds = $options['--seconds']
    $json = Join-Path $out 'oltp-sqlite.json'
    if (-not (Invoke-Oltp @('prepare')) -or
        -not (Invoke-Oltp @('oltp_read_write', 'run', "--time=$seconds", "--json=$json"))) {
        $script:failed += 'oltp-sqlite'
    }
}

function Invoke-Suite {
    Say "preparing 256 MiB of test files in $scratch"
    if (-not (Invoke-Fileio @('prepare'))) {
        Die 'the test files could not be made; the reason stands above'
    }
    Invoke-Job 'seqrewr' 'sequential rewrite in blocks of 1 MiB, made durable at the end' @('--mode=seqrewr', '--block-size=1M', '--sync-at-end=on')
    Invoke-Job 'rndrd-cache-on' 'random read of 16 KiB, OS cache on: mostly the speed of memory' @('--mode=rndrd', '--block-size=16K', '--cache=on')
    Invoke-Job 'rndrd-cache-off' 'random read of 16 KiB, OS cache off, 8 at a time: the device' @('--mode=rndrd', '--block-size=16K', '--cache=off', '--depth=8')
    Invoke-Job 'rndwr-sync' 'random write of 16 KiB, each made durable before the next: what a database log waits for' @('--mode=rndwr', '--block-size=16K', '--sync-each-write=on')
    Invoke-Job 'rndrw' 'random mix of 16 KiB, 70 % reads, OS cache off, 2 threads' @('--mode=rndrw', '--read-percent=70', '--block-size=16K', '--cache=off', '--threads=2')
    Write-Host ''
    Say 'removing the test files'
    if (-not (Invoke-Fileio @('cleanup'))) {
        Die 'the test files could not be removed; the reason stands above'
    }
    Invoke-Database
}

Read-Options $args
Initialize-Tools
# A compiler that is newer than ours may warn of something new: no reason not to measure.
Build-Preset 'msvc' @('isobench') @('-DISO_WERROR=OFF')

New-Item -ItemType Directory -Force -Path $options['--out'] | Out-Null
$out = (Resolve-Path -LiteralPath $options['--out']).ProviderPath
$target = (Resolve-Path -LiteralPath $options['--dir']).ProviderPath
$isobench = Join-Path $root 'build\msvc\bin\isobench.exe'
$scratch = Join-Path $target ('isobench-quickstart.' + [IO.Path]::GetRandomFileName())
$failed = @()
New-Item -ItemType Directory -Path $scratch | Out-Null
try {
    Invoke-Suite
} finally {
    Remove-Item -Recurse -Force -LiteralPath $scratch -ErrorAction SilentlyContinue
}
Say "results as JSON: $out"
if ($failed.Count -gt 0) {
    Die "failed: $failed; the reasons stand above"
}
exit 0
