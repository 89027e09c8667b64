# Shared by the PowerShell scripts (Windows PowerShell 5.1 and later); dot-source it. It sets $root, the source tree's
# folder.

Set-StrictMode -Version 2.0
$ErrorActionPreference = 'Stop'
$root = Split-Path -Parent $PSScriptRoot

function Say([string]$text) {
    Write-Host "==> $text"
}

function Write-ErrorLine([string]$text) {
    [Console]::Error.WriteLine("$($script:program): $text")
}

function Die([string]$text) {
    Write-ErrorLine $text
    exit 1
}

# A wrong command line: one line, status 2.
function Stop-Usage([string]$text) {
    Write-ErrorLine "$text; see --help"
    exit 2
}

function Test-Command([string]$name) {
    return [bool](Get-Command $name -CommandType Application -ErrorAction SilentlyContinue)
}

# Runs a program and stops with its words above when it fails.
function Invoke-Step([string]$command, [string[]]$arguments) {
    & $command @arguments
    if ($LASTEXITCODE -ne 0) {
        Die "failed with status ${LASTEXITCODE}: $command $arguments"
    }
}

# Visual Studio 2022 (or its Build Tools) with the C++ tools, by Microsoft's own finder.
function Find-VisualStudio {
    $finder = Join-Path ${env:ProgramFiles(x86)} 'Microsoft Visual Studio\Installer\vswhere.exe'
    if (-not (Test-Path $finder)) {
        return ''
    }
    $found = & $finder -latest -products * -requires Microsoft.VisualStudio.Component.VC.Tools.x86.x64 -property installationPath
    return [string]($found | Select-Object -First 1)
}

# The developer shell brings cl, clang-cl if it is installed, CMake and Ninja into the PATH of this process.
function Enter-DeveloperShell([string]$visualStudio) {
    $batch = Join-Path $visualStudio 'VC\Auxiliary\Build\vcvars64.bat'
    $lines = cmd /s /c "`"$batch`" >nul && set"
    if ($LASTEXITCODE -ne 0) {
        Die "$batch failed"
    }
    foreach ($line in $lines) {
        if ($line -match '^([^=]+)=(.*)$') {
            Set-Item -LiteralPath "env:$($Matches[1])" -Value $Matches[2]
        }
    }
}

# A vcpkg that the user has, else the one that comes with Visual Studio.
function Find-Vcpkg([string]$visualStudio) {
    $places = @($env:VCPKG_ROOT, $env:VCPKG_INSTALLATION_ROOT)
    if (Test-Command 'vcpkg') {
        $places += Split-Path -Parent (Get-Command vcpkg -CommandType Application | Select-Object -First 1).Path
    }
    if ($visualStudio) {
        $places += Join-Path $visualStudio 'VC\vcpkg'
    }
    foreach ($place in $places) {
        if ($place -and (Test-Path (Join-Path $place 'scripts\buildsystems\vcpkg.cmake'))) {
            return $place
        }
    }
    return ''
}

# Finds all that a build needs, or says in one go what is missing and how to get it.
function Initialize-Tools {
    $missing = @()
    $visualStudio = Find-VisualStudio
    $vcpkg = Find-Vcpkg $visualStudio
    if ($visualStudio) {
        Enter-DeveloperShell $visualStudio
    } else {
        $missing += 'Visual Studio 2022 with C++: winget install Microsoft.VisualStudio.2022.BuildTools --override "--wait --passive --add Microsoft.VisualStudio.Workload.VCTools --includeRecommended"'
    }
    if ($vcpkg) {
        $env:VCPKG_ROOT = $vcpkg
    } else {
        $missing += 'vcpkg: git clone https://github.com/microsoft/vcpkg, run vcpkg\bootstrap-vcpkg.bat, set VCPKG_ROOT to that folder'
    }
    if (-not (Test-Command 'cmake')) {
        $missing += 'CMake: winget install Kitware.CMake'
    }
    if (-not (Test-Command 'ninja')) {
        $missing += 'Ninja: winget install Ninja-build.Ninja'
    }
    if (-not (Test-Command 'git')) {
        $missing += 'git (vcpkg needs it): winget install Git.Git'
    }
    if ($missing.Count -gt 0) {
        foreach ($line in $missing) {
            Write-ErrorLine "missing: $line"
        }
        exit 1
    }
}

# Configures and builds in build\PRESET; vcpkg makes the libraries of vcpkg.json on the way. $options go on top of the
# preset's.
function Build-Preset([string]$preset, [string[]]$targets, [string[]]$options) {
    Say "building (preset $preset)"
    $build = @('--build', '--preset', $preset)
    foreach ($target in $targets) {
        $build += @('--target', $target)
    }
    Push-Location $root
    try {
        Invoke-Step 'cmake' (@('--preset', $preset) + $options)
        Invoke-Step 'cmake' $build
    } finally {
        Pop-Location
    }
}
